# Shared by ./play and ./test: makes .venv from a lock file. Sourced, not run.

say() { printf '%s\n' "$*" >&2; }

find_python() {
  local name
  for name in python3 python3.14 python3.13 python3.12 python3.11; do
    if command -v "$name" >/dev/null 2>&1 &&
      "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      command -v "$name"
      return 0
    fi
  done
  say "Python 3.11 or newer is needed. On Debian or Raspberry Pi OS: sudo apt-get install python3 python3-venv"
  return 1
}

# The stamp changes when the lock, the project file, the Python or the folder does.
stamp_of() { printf '%s %s %s\n' "$(cat "$1" pyproject.toml | cksum)" "$("$2" -V)" "$PWD"; }

make_venv() {
  local python=$1
  rm -rf .venv
  if command -v uv >/dev/null 2>&1; then
    uv venv -q --python "$python" .venv
  elif "$python" -c 'import ensurepip' 2>/dev/null; then
    "$python" -m venv .venv
  else
    say "Python's venv module is missing. Install it with: sudo apt-get install python3-venv"
    return 1
  fi
}

install_lock() {
  local lock=$1
  if command -v uv >/dev/null 2>&1; then
    uv pip sync -q --python .venv --require-hashes "$lock"
    uv pip install -q --python .venv --no-deps --no-build-isolation -e .
  else
    .venv/bin/python -m pip install -q --disable-pip-version-check --require-hashes --only-binary :all: -r "$lock"
    .venv/bin/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
  fi
}

# prepare run|dev: what is installed for the tests serves for playing too.
prepare() {
  local lock=requirements.lock python stamp
  [ "$1" = dev ] && lock=requirements-dev.lock
  python=$(find_python)
  stamp=$(stamp_of "$lock" "$python")
  if [ -x .venv/bin/santorini ] && [ -f ".venv/.stamp-$1" ] && [ "$(cat ".venv/.stamp-$1")" = "$stamp" ]; then
    return 0
  fi
  say "Installing into .venv, once; this takes up to a minute …"
  make_venv "$python"
  install_lock "$lock"
  printf '%s\n' "$stamp" >".venv/.stamp-$1"
  # The larger set holds the smaller one.
  if [ "$1" = dev ]; then stamp_of requirements.lock "$python" >.venv/.stamp-run; fi
}

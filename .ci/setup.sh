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

sum_of() { cksum <"$1" | tr ' ' '-'; }

read_stamp() { cat ".venv/.stamp-$1" 2>/dev/null || true; }

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
  if command -v uv >/dev/null 2>&1; then
    uv pip sync -q --python .venv --require-hashes "$1"
  else
    .venv/bin/python -m pip install -q --disable-pip-version-check --require-hashes --only-binary :all: -r "$1"
  fi
}

install_project() {
  if command -v uv >/dev/null 2>&1; then
    uv pip install -q --python .venv --no-deps --no-build-isolation -e .
  else
    .venv/bin/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
  fi
}

# prepare run|dev: what is installed for the tests serves for playing too, and is never taken away by it.
prepare() {
  local wanted=$1 lock=requirements.lock python made
  python=$(find_python)
  made="$("$python" -V) $PWD"
  if [ "$(read_stamp made)" != "$made" ] || [ ! -x .venv/bin/python ]; then
    say "Installing into .venv, once; this takes up to a minute …"
    make_venv "$python"
    printf '%s\n' "$made" >.venv/.stamp-made
  fi
  case $(read_stamp lock) in dev*) wanted=dev ;; esac
  if [ "$wanted" = dev ]; then lock=requirements-dev.lock; fi
  if [ "$(read_stamp lock)" != "$wanted $(sum_of $lock)" ]; then
    install_lock "$lock"
    rm -f .venv/.stamp-project
    printf '%s\n' "$wanted $(sum_of $lock)" >.venv/.stamp-lock
  fi
  if [ "$(read_stamp project)" != "$(sum_of pyproject.toml)" ] || [ ! -x .venv/bin/santorini ]; then
    install_project
    sum_of pyproject.toml >.venv/.stamp-project
  fi
}

# The compiler that checks the types of the pages' modules, pinned by its own lock file.
prepare_types() {
  local from=tests/companion/web/types to=.venv/types wanted
  wanted=$(sum_of $from/package-lock.json)
  [ "$(read_stamp types)" = "$wanted" ] && return 0
  mkdir -p $to
  cp $from/package.json $from/package-lock.json $to/
  npm ci --prefix $to --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null
  printf '%s\n' "$wanted" >.venv/.stamp-types
}

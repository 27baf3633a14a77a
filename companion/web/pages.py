"""The shell of every page, its modules and its texts."""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Request, Response
from fastapi import Path as InPath

from companion.texts import LANGUAGES, export
from companion.web.house import STATIC, house_of, problem

router = APIRouter()
SHELLS = ("/", "/join", "/host", "/table/{table}", "/screen", "/screen/{table}", "/kept", "/tour", "/camera")
TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/json",
}
FIRST_TEXTS = ("ui", "reasons", "rules")


def packed(request: Request, body: bytes, kind: str) -> Response:
    """Answer with a body that never depends on the caller: zipped, and not sent twice."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        body = _zipped(body)
    return Response(body, media_type=kind, headers=headers)


@lru_cache(maxsize=256)
def _zipped(body: bytes) -> bytes:
    return gzip.compress(body, 6, mtime=0)


@cache
def files() -> dict[str, Path]:
    """List the files that may be served, by their address under /static/."""
    return {p.relative_to(STATIC).as_posix(): p for p in STATIC.rglob("*") if p.is_file()}


@cache
def texts_of(language: str, part: str) -> bytes:
    """Write the catalogue of a language: what the first view needs, or the cards."""
    found = export(language, (*FIRST_TEXTS, "cards"))
    texts = found["texts"]
    assert isinstance(texts, dict)
    wanted = {key: text for key, text in texts.items() if first_needs(key) == (part == "first")}
    return json.dumps(found | {"texts": wanted}, ensure_ascii=False, separators=(",", ":")).encode()


def first_needs(key: str) -> bool:
    """Tell whether the first view needs a text: all but the cards, of which it needs the names."""
    return not key.startswith(("card.", "power.")) or key.endswith(".name")


def shell(request: Request) -> Response:
    """Answer with the one page; its script decides what to show."""
    return packed(request, (STATIC / "index.html").read_bytes(), "text/html; charset=utf-8")


for _path in SHELLS:
    router.add_api_route(_path, shell, methods=["GET"], include_in_schema=False)


@router.get("/authority.crt", include_in_schema=False)
def authority(request: Request) -> Response:
    """Hand out the certificate that an owner may choose to trust."""
    found = house_of(request).deps.certificate
    if found is None:
        raise problem(404, "error.not_found")
    return Response(found.read_bytes(), media_type="application/x-x509-ca-cert")


@router.get("/static/{name:path}", include_in_schema=False)
def static(name: str, request: Request) -> Response:
    """Answer with a file of the front end."""
    path = files().get(name)
    if path is None:
        raise problem(404, "error.not_found")
    kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return packed(request, path.read_bytes(), kind)


@router.get("/texts/{part}/{language}.json", include_in_schema=False)
def texts(part: str, language: Annotated[str, InPath(max_length=8)], request: Request) -> Response:
    """Answer with the texts of a language."""
    if language not in LANGUAGES or part not in ("first", "cards"):
        raise problem(404, "error.not_found")
    return packed(request, texts_of(language, part), "application/json")

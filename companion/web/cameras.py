"""The camera of a table: the host's wizard, the picture with its overlay, pictures sent by a phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel, Field

from companion.store.seats import CAMERA
from companion.web.house import Strict, TheDevice, TheHost, TheHouse, TheTable, answers, house_of, problem
from companion.web.ports import Cameras, NotPossible, Table

router = APIRouter(prefix="/api", tags=["camera"])
Share = Annotated[float, Field(ge=-0.2, le=1.2)]
Spot = Annotated[list[Share], Field(min_length=2, max_length=2)]
Space = Annotated[str, Field(pattern=r"^[a-e][1-5]$")]
JPEG: dict[int | str, dict[str, Any]] = {200: {"content": {"image/jpeg": {}}, "description": "a picture"}}
PDF: dict[int | str, dict[str, Any]] = {200: {"content": {"application/pdf": {}}, "description": "the mat"}}
BINARY = {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}}
PHONE = "phone"
REFUSED = answers(404, 409, 422)


class Wanted(Strict):
    """The source that the host chose: a number, an address, a file, or a phone."""

    source: Annotated[str, Field(min_length=1, max_length=300)]


class Corners(Strict):
    """The outer corners at a1, e1, e5, a5, as shares of the picture's width and height."""

    corners: Annotated[list[Spot], Field(min_length=4, max_length=4)]


class Taken(Strict):
    """A step of the set-up."""

    step: Literal["empty", "tableau", "placed"]


class Kit(Strict):
    """What lies on the table; the workers' colours by side."""

    pieces: Annotated[str, Field(min_length=1, max_length=80)]
    mat: Annotated[str, Field(min_length=1, max_length=20)]
    lens: Annotated[str, Field(min_length=1, max_length=80)] | None = None
    colours: Annotated[dict[str, str], Field(max_length=4)]


class Standing(Strict):
    """What stands on a space: blocks, and on them nothing, a dome or a side's worker."""

    height: Annotated[int, Field(ge=0, le=3)]
    top: Annotated[str, Field(max_length=4)] = ""


class Confirmed(Strict):
    """The spaces of the picture in check that are otherwise than they were read."""

    cells: Annotated[dict[Space, Standing], Field(max_length=25)]


class State(BaseModel):
    """How far the set-up of a camera is."""

    source: str | None
    phase: str
    step: str
    tags: int
    watching: bool
    verdict: str | None
    figures: dict[str, float]
    problems: list[dict[str, Any]]
    colours: dict[str, str]
    kit: dict[str, str | None]
    corners: list[list[float]] | None
    check: dict[str, Any] | None
    taken: bool
    may_measure: bool


class Choices(BaseModel):
    """What can be chosen for a table."""

    pieces: list[str]
    mats: list[str]
    lenses: list[str]
    colours: list[str]


class SourceLine(BaseModel):
    """A camera that can be chosen."""

    id: str
    kind: str


def cameras_of(request: Request) -> Cameras:
    """Return the cameras, where this server has any."""
    found = house_of(request).deps.cameras
    if found is None:
        raise problem(404, "error.not_found")
    return found


TheCameras = Annotated[Cameras, Depends(cameras_of)]


def after(cameras: Cameras, table: Table, act: Callable[[], None]) -> State:
    """Do something to the set-up and tell how far it is then."""
    try:
        act()
    except NotPossible as refused:
        raise cannot(refused) from refused
    return State(**cameras.state(table))


def cannot(refused: NotPossible) -> Exception:
    """Return the answer to something that cannot be done."""
    return problem(409, refused.key, refused.facts)


@router.get("/cameras", responses=answers(404))
def sources(_host: TheHost, cameras: TheCameras) -> list[SourceLine]:
    """List the cameras that were found."""
    return [SourceLine(**line) for line in cameras.sources()]


@router.get("/cameras/kit", responses=answers(404))
def choices(_host: TheHost, cameras: TheCameras) -> Choices:
    """List the sets, mats, lenses and colours that can be chosen."""
    return Choices(**cameras.choices())


@router.get("/tables/{table}/camera", responses=answers(404, 422))
def state(found: TheTable, _host: TheHost, cameras: TheCameras) -> State:
    """Tell how far the set-up is."""
    return State(**cameras.state(found))


@router.post("/tables/{table}/camera", responses=REFUSED)
def use(found: TheTable, wanted: Wanted, _host: TheHost, cameras: TheCameras, house: TheHouse) -> State:
    """Connect a table to a source; where that is no phone, none is the camera any more."""
    connected = after(cameras, found, lambda: cameras.use(found, wanted.source))
    if wanted.source != PHONE:
        house.deps.seating.release(found.game, CAMERA)
    return connected


@router.delete("/tables/{table}/camera", responses=answers(404, 422), status_code=204)
def drop(found: TheTable, _host: TheHost, cameras: TheCameras, house: TheHouse) -> None:
    """Go on without a camera, a phone that was only that included."""
    cameras.drop(found)
    house.deps.seating.release(found.game, CAMERA)


@router.get("/tables/{table}/camera/picture", responses={**JPEG, **REFUSED}, response_class=Response)
def picture(
    found: TheTable, _host: TheHost, cameras: TheCameras, overlay: Annotated[bool, Query()] = False
) -> Response:
    """Return the newest picture, and how the camera does; nothing keeps it."""
    jpeg = cameras.picture(found, overlay)
    if jpeg is None:
        raise problem(409, "camera.lost")
    said = {"Cache-Control": "no-store", "Camera-Says": found.public().camera}
    return Response(jpeg, media_type="image/jpeg", headers=said)


@router.put("/tables/{table}/camera/kit", responses=REFUSED)
def choose(found: TheTable, kit: Kit, _host: TheHost, cameras: TheCameras) -> State:
    """Say what lies on the table."""
    return after(cameras, found, lambda: cameras.choose(found, kit.model_dump()))


@router.get("/tables/{table}/camera/shot", responses={**JPEG, **REFUSED}, response_class=Response)
def shot(
    found: TheTable, _host: TheHost, cameras: TheCameras, which: Literal["empty", "check", "plan"]
) -> Response:
    """Return a picture of the set-up: the empty board, the one in check, the plan of the tableau."""
    try:
        jpeg = cameras.shot(found, which)
    except NotPossible as refused:
        raise cannot(refused) from refused
    if jpeg is None:
        raise problem(409, "wizard.check.none")
    return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": "no-store"})


@router.post("/tables/{table}/camera/confirm", responses=REFUSED)
def confirm(found: TheTable, given: Confirmed, _host: TheHost, cameras: TheCameras) -> State:
    """Confirm the picture in check."""
    cells = {name: (standing.height, standing.top) for name, standing in given.cells.items()}
    return after(cameras, found, lambda: cameras.confirm(found, cells))


@router.post("/tables/{table}/camera/measure", responses=REFUSED)
def measure(found: TheTable, _host: TheHost, cameras: TheCameras) -> State:
    """Measure the pieces of an own set on the confirmed tableau."""
    return after(cameras, found, lambda: cameras.measure(found))


@router.post("/tables/{table}/camera/take", responses=REFUSED)
def take(found: TheTable, taken: Taken, _host: TheHost, cameras: TheCameras) -> State:
    """Take the picture of a step."""
    return after(cameras, found, lambda: cameras.take(found, taken.step))


@router.post("/tables/{table}/camera/corners", responses=REFUSED)
def corners(found: TheTable, given: Corners, _host: TheHost, cameras: TheCameras) -> State:
    """Take the four corners."""
    return after(cameras, found, lambda: cameras.corners(found, [(x, y) for x, y in given.corners]))


@router.post("/tables/{table}/camera/skip", responses=REFUSED)
def skip(found: TheTable, taken: Taken, _host: TheHost, cameras: TheCameras) -> State:
    """Leave a step out."""
    return after(cameras, found, lambda: cameras.skip(found, taken.step))


@router.post("/tables/{table}/camera/keep", responses=REFUSED)
def keep(found: TheTable, _host: TheHost, cameras: TheCameras) -> State:
    """Keep the calibration and begin to watch."""
    return after(cameras, found, lambda: cameras.keep(found))


@router.post(
    "/tables/{table}/camera/frame",
    responses=answers(404, 409, 422),
    status_code=204,
    openapi_extra={
        "requestBody": {"content": {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}}}
    },
)
async def frame(
    found: TheTable, device: TheDevice, cameras: TheCameras, house: TheHouse, request: Request
) -> None:
    """Take a picture from a phone; the next one is sent when this is answered, so none pile up."""
    if not (device.host or device.seats(found.game) or found.game in device.looks):
        raise problem(403, "camera.phone.off")
    jpeg = await request.body()
    try:
        read = await house.aside(cameras.push, found, jpeg)
    except NotPossible as refused:
        raise cannot(refused) from refused
    if not read:
        raise problem(422, "error.bad_picture")


@router.get("/mat/{paper}.pdf", responses={**PDF, **answers(404, 422)}, response_class=Response)
def mat(paper: Literal["a3", "a4", "a3x2"], cameras: TheCameras) -> Response:
    """Return the mat to print."""
    return Response(cameras.mat(paper), media_type="application/pdf")

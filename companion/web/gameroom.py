"""New games, saved games, line-ups and records."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response
from pydantic import BaseModel, Field

from companion.table.plan import COLOURS
from companion.web.house import House, Strict, TheDevice, TheHost, TheHouse, TheTable, Told, answers, problem
from companion.web.joining import note_joined
from companion.web.lineups import draw, power_table, setup_of
from companion.web.ports import Json, NotPossible, Table

router = APIRouter(prefix="/api", tags=["games"])
GameName = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{1,64}$")]
PowerName = Annotated[str, Field(pattern="^[a-z]{1,20}$")]


class Options(Strict):
    """What a game may do differently; left out is as in the rulebook."""

    revised_powers: bool = False
    placement_sets_turn_order: bool = False
    allow_banned: bool = False
    strict_supply: bool = False
    hecate_check: Literal["turn", "action"] = "turn"


class NewPlayer(Strict):
    """One player of a new game, in turn order."""

    name: Annotated[str, Field(max_length=24)] = ""
    colour: Annotated[str, Field(pattern=f"^({'|'.join(COLOURS)})$")] | None = None
    power: PowerName | None = None


class NewGame(Strict):
    """A new game as the host has put it together."""

    players: Annotated[list[NewPlayer], Field(min_length=2, max_length=4)]
    edition: Annotated[str, Field(pattern="^(roxley2016|spinmaster2017)$")] = "roxley2016"
    options: Options = Options()
    golden_fleece: PowerName | None = None
    deck: Annotated[list[PowerName], Field(max_length=60)] | None = None


class GivenRecord(Strict):
    """A record as it was saved, as text or as JSON."""

    record: Annotated[str, Field(min_length=1)]


class Drawing(Strict):
    """A wish for powers drawn at random."""

    players: Annotated[int, Field(ge=2, le=4)]
    edition: Annotated[str, Field(pattern="^(roxley2016|spinmaster2017)$")] = "roxley2016"
    options: Options = Options()
    pool: Annotated[list[PowerName], Field(max_length=60)] | None = None
    seed: Annotated[int, Field(ge=0, le=2**31)]


class Verdict(BaseModel):
    """Whether a line-up may play, and if not why."""

    ok: bool
    why: Told | None = None


class Drawn(BaseModel):
    """Powers that may meet."""

    powers: list[str]


class Opened(BaseModel):
    """A table that was opened."""

    table: str


def refusal(refused: NotPossible) -> Exception:
    """Return the answer to something that cannot be done."""
    return problem(409, refused.key, refused.facts)


@router.get("/powers", responses=answers())
def powers() -> list[dict[str, Any]]:
    """Return the power table: who may meet whom, and in what company."""
    return power_table()


@router.post("/lineup/check", responses=answers(422))
def check(game: NewGame, _host: TheHost) -> Verdict:
    """Tell whether a line-up may play."""
    try:
        setup_of([player.power for player in game.players], game.model_dump())
    except NotPossible as refused:
        return Verdict(ok=False, why=Told(key=refused.key, facts=refused.facts))
    return Verdict(ok=True)


@router.post("/lineup/draw", responses=answers(409, 422))
def draw_powers(wish: Drawing, _host: TheHost) -> Drawn:
    """Draw powers that may meet."""
    try:
        return Drawn(powers=list(draw(wish.players, wish.model_dump(), wish.pool, wish.seed)))
    except NotPossible as refused:
        raise refusal(refused) from refused


@router.post("/tables", responses=answers(409, 422), status_code=201)
def create(game: NewGame, _host: TheHost, house: TheHouse) -> Opened:
    """Open a table with a new game."""
    try:
        return Opened(table=house.deps.games.create(game.model_dump()).id)
    except NotPossible as refused:
        raise refusal(refused) from refused


@router.post("/tables/{table}/rematch", responses=answers(404, 409, 422), status_code=201)
def rematch(found: TheTable, device: TheDevice, house: TheHouse) -> Opened:
    """Play again with sides changed; every phone gets a code for its new seat and moves by itself."""
    if not (device.host or device.seats(found.game)):
        raise problem(403, "settings.host_only")
    if found.public().phase != "over":
        raise problem(409, "error.too_late")
    try:
        fresh = house.deps.games.create(sides_changed(found))
    except NotPossible as refused:
        raise refusal(refused) from refused
    if house.deps.cameras is not None:
        house.deps.cameras.follow(found, fresh)
    move_everybody(house, found, fresh)
    return Opened(table=fresh.id)


def move_everybody(house: House, old: Table, fresh: Table) -> None:
    """Give every device codes for its seats on the other side; a seat keeps its language."""
    seating = house.deps.seating
    taken, languages = seating.taken(old.game), seating.languages(old.game)
    places = {}
    for before, after in zip(old.seats, (*fresh.seats[-1:], *fresh.seats[:-1])):
        if before in languages:
            seating.speak(fresh.game, after, languages[before])
        if before in taken:
            places[before] = {"was": before, "seat": after, "code": seating.offer(fresh.game, after)[0]}
    seating.take_camera_along(old.game, fresh.game)
    house.hub.move(old, fresh, places)


def sides_changed(table: Table) -> Json:
    """Return the same game with the turn order turned by one; everybody keeps colour and name."""
    view = table.public()
    # Where the Ram stands nobody has a power of their own: the view shows everybody the Ram's.
    fleece = view.players[0].power if any("ram" in cell.tokens for cell in view.board) else None
    own = [None if fleece else p.power for p in view.players]
    players = [{"name": p.name, "colour": p.colour, "power": o} for p, o in zip(view.players, own)]
    return {
        "players": [*players[1:], players[0]],
        "edition": view.edition,
        "options": dict(view.options),
        "golden_fleece": fleece,
        "deck": None,
    }


@router.get("/games", responses=answers())
def saved(_host: TheHost, house: TheHouse) -> list[dict[str, Any]]:
    """List the games on disk."""
    return list(house.deps.games.saved())


@router.post("/games", responses=answers(409, 422), status_code=201)
def take_in(given: GivenRecord, _host: TheHost, house: TheHouse) -> Opened:
    """Take a record in as a game of this folder: it is looked at, or gone on with."""
    try:
        return Opened(table=house.deps.games.take_in(given.record).id)
    except NotPossible as refused:
        raise refusal(refused) from refused


@router.post("/games/{game}/open", responses=answers(404, 409, 422))
def reopen(game: GameName, _host: TheHost, house: TheHouse) -> Opened:
    """Go on with a game from the list."""
    try:
        table = house.deps.games.open(game)
    except NotPossible as refused:
        raise problem(404, refused.key, refused.facts) from refused

    note_joined(house, table)
    return Opened(table=table.id)


@router.delete("/games/{game}", responses=answers(404, 422), status_code=204)
def delete(game: GameName, _host: TheHost, house: TheHouse) -> None:
    """Delete a game and all that belongs to it; whoever is at its table is told."""
    table = next((t for t in house.deps.tables.all() if t.game == game), None)
    if table is not None and house.deps.cameras is not None:
        house.deps.cameras.drop(table)
    if not house.deps.games.delete(game):
        raise problem(404, "error.not_found")
    if table is not None:
        house.hub.tell(table.id, {"gone": {"key": "saved.deleted", "facts": {}}})


KINDS = {"text": ("text/plain; charset=utf-8", "txt"), "json": ("application/json", "json")}
RECORD: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/plain": {}, "application/json": {}}, "description": "the record"}
}


@router.get("/tables/{table}/record", responses={**RECORD, **answers(404, 409, 422)}, response_class=Response)
def record(
    found: TheTable, house: TheHouse, form: Annotated[Literal["text", "json"], Query()] = "text"
) -> Response:
    """Download the record of the game, as text or as JSON; with secrets in play only when it is over."""
    try:
        text = house.deps.games.record(found.game, form == "json")
    except NotPossible as refused:
        raise refusal(refused) from refused
    kind, suffix = KINDS[form]
    name = f'attachment; filename="santorini-{found.game}.{suffix}"'
    return Response(text, media_type=kind, headers={"Content-Disposition": name})

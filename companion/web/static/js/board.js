// @ts-check
/** The board on the page: a drawing, and 25 real buttons over it. */
import { h, put, s } from "./dom.js";
import { flat } from "./flat.js";
import { iso } from "./iso.js";
import { CELLS } from "./notation.js";
import { prefs } from "./prefs.js";
import { shape } from "./shapes.js";

/**
 * @typedef {{cells: any[], players: any[], lit?: Set<string>, chosen?: Set<string>, fresh?: Set<string>,
 *   warn?: Set<string>, maybe?: Set<string>, arrows?: {from: string, to: string}[],
 *   off?: {what: string, cell: string}[], on?: {what: string, cell: string}[], say: (cell: any) => string}} Model
 * @typedef {{x: number, y: number}} Spot
 */

/** Where a space is seen when the board is turned. @param {string} cell @param {number} turn @returns {[number, number]} */
export function seenAt(cell, turn) {
  let [column, row] = ["abcde".indexOf(cell[0]), Number(cell[1]) - 1];
  for (let i = 0; i < turn; i++) [column, row] = [row, 4 - column];
  return [column, row];
}

export class Board {
  /** @param {{label: string, ontap?: (cell: string) => void, look?: "flat" | "iso", small?: boolean}} options */
  constructor({ label, ontap, look, small }) {
    this.look = look;
    this.ontap = ontap;
    this.drawing = h("div", { class: "drawing", "aria-hidden": "true" });
    /** @type {Map<string, HTMLButtonElement>} */
    this.buttons = new Map();
    this.keys = h("div", { class: "keys", role: "group", "aria-label": label });
    this.element = h("div", { class: `board ${small ? "small" : ""}` }, this.drawing, this.keys);
    for (const cell of [...CELLS].reverse()) this.buttons.set(cell, this.button(cell));
    this.keys.append(...this.ordered());
    this.keys.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
    this.focus = "c3";
  }

  ordered() {
    const row = (/** @type {string} */ cell) => Number(cell[1]);
    return [...CELLS]
      .sort((a, b) => row(b) - row(a) || a.localeCompare(b))
      .map((cell) => /** @type {HTMLButtonElement} */ (this.buttons.get(cell)));
  }

  /** @param {string} cell @returns {HTMLButtonElement} */
  button(cell) {
    return h("button", {
      type: "button",
      class: "key",
      "data-cell": cell,
      tabindex: cell === "c3" ? 0 : -1,
      onclick: () => this.ontap?.(cell),
      onfocus: () => this.rove(cell),
    });
  }

  /** @param {string} cell */
  rove(cell) {
    this.buttons.get(this.focus)?.setAttribute("tabindex", "-1");
    this.buttons.get(cell)?.setAttribute("tabindex", "0");
    this.focus = cell;
  }

  /** Move the focus by the arrow keys, as the board is seen. @param {KeyboardEvent} event */
  key(event) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!way) return;
    event.preventDefault();
    const [column, row] = seenAt(this.focus, prefs.turn);
    const next = CELLS.find((cell) => {
      const [c, r] = seenAt(cell, prefs.turn);
      return c === column + way[0] && r === row + way[1];
    });
    if (next) this.buttons.get(next)?.focus();
  }

  /** @param {Model} model */
  render(model) {
    const look = (this.look ?? prefs.look) === "iso" ? iso : flat;
    const turn = prefs.turn;
    this.element.classList.toggle("iso", look === iso);
    const seen = model.cells.map((cell) => ({ cell, at: seenAt(cell.cell, turn) }));
    seen.sort((a, b) => b.at[1] - a.at[1] || a.at[0] - b.at[0]);
    if (look === iso) seen.sort((a, b) => a.at[0] - a.at[1] - (b.at[0] - b.at[1]));
    const colour = Object.fromEntries(model.players.map((p) => [p.seat, p.colour]));
    const parts = seen.flatMap(({ cell, at }) => this.space(look, model, cell, at, colour));
    put(this.drawing, s("svg", { viewBox: look.box, focusable: "false" }, defs(), labels(look, turn), parts, this.hands(look, model)));
    for (const { cell, at } of seen) this.place(look, model, cell, at);
  }

  /** @param {any} look @param {Model} model @param {any} cell @param {[number, number]} at @param {Record<string, string>} colour */
  space(look, model, cell, at, colour) {
    const names = { lit: model.lit, chosen: model.chosen, fresh: model.fresh, warn: model.warn, maybe: model.maybe };
    const state = Object.entries(names).filter(([, set]) => set?.has(cell.cell)).map(([name]) => name).join(" ");
    const top = look.spot(at[0], at[1], cell);
    const tile = look.tile(at[0], at[1], cell, state);
    tile.dataset.tile = cell.cell;
    const parts = [tile];
    for (const token of cell.tokens) parts.push(badge(top, token));
    if (cell.worker) {
      const worker = { ...cell.worker, shape: cell.worker.id[0] };
      const figure = look.worker(top, worker, colour[cell.worker.seat] ?? "blue", state);
      figure.dataset.tile = cell.cell;
      parts.push(figure);
    }
    return parts;
  }

  /** What a hand has to do, shown: a piece goes home, comes off, comes on. @param {any} look @param {Model} model */
  hands(look, model) {
    const spot = (/** @type {string} */ name) => {
      const [column, row] = seenAt(name, prefs.turn);
      return look.spot(column, row, model.cells.find((c) => c.cell === name));
    };
    const arrows = (model.arrows ?? []).map(({ from, to }) => [look.arrow(spot(from), spot(to)), this.ghost(model, to, spot(from), spot(to))]);
    const off = (model.off ?? []).map(({ what, cell }) => [loose(what, spot(cell), "goes"), cross(spot(cell))]);
    const on = (model.on ?? []).map(({ what, cell }) => loose(what, spot(cell), "comes"));
    return [...arrows.flat(), ...off.flat(), ...on];
  }

  /** The worker that belongs there, on its way. @param {Model} model @param {string} home @param {Spot} from @param {Spot} to */
  ghost(model, home, from, to) {
    const worker = model.cells.find((c) => c.cell === home)?.worker;
    if (!worker) return null;
    const colour = model.players.find((p) => p.seat === worker.seat)?.colour ?? "blue";
    const moving = s("g", { class: "ghost walks" }, shape(worker.id[0], from.x, from.y, 4.4, `worker-mark c-${colour}`));
    moving.style.setProperty("--dx", `${to.x - from.x}px`);
    moving.style.setProperty("--dy", `${to.y - from.y}px`);
    return moving;
  }

  /** Put a button over its space. @param {any} look @param {Model} model @param {any} cell @param {[number, number]} at */
  place(look, model, cell, at) {
    const button = this.buttons.get(cell.cell);
    if (!button) return;
    const hit = look.hit(at[0], at[1], cell);
    button.style.left = `${((hit.x - hit.w / 2) / look.size.w) * 100}%`;
    button.style.top = `${((hit.y - hit.h / 2) / look.size.h) * 100}%`;
    button.style.width = `${(hit.w / look.size.w) * 100}%`;
    button.style.height = `${(hit.h / look.size.h) * 100}%`;
    button.style.zIndex = String(10 + at[0] - at[1]);
    button.style.clipPath = hit.clip;
    button.classList.toggle("slant", Boolean(hit.clip));
    button.classList.toggle("is-lit", Boolean(model.lit?.has(cell.cell)));
    button.setAttribute("aria-label", model.say(cell));
    button.setAttribute("aria-pressed", String(Boolean(model.chosen?.has(cell.cell))));
  }
}

/** A block, dome or worker that comes or goes. @param {string} what @param {Spot} at @param {"comes" | "goes"} way */
function loose(what, { x, y }, way) {
  const piece = what === "block" ? s("rect", { x: x - 4, y: y - 4, width: 8, height: 8, rx: 1, class: "level l3" }) : s("circle", { cx: x, cy: y, r: 4, class: `piece-${what}` });
  return s("g", { class: `ghost ${way}` }, piece);
}

/** @param {Spot} at */
function cross({ x, y }) {
  return s("g", { class: "off" }, s("circle", { cx: x, cy: y, r: 6.4 }), s("path", { d: `M${x - 3},${y - 3} l6,6 m0,-6 l-6,6` }));
}

/** @param {any} look @param {number} turn */
function labels(look, turn) {
  const isFlat = look === flat;
  const name = (/** @type {number} */ column, /** @type {number} */ row) =>
    CELLS.find((cell) => String(seenAt(cell, turn)) === String([column, row])) ?? "";
  const along = [0, 1, 2, 3, 4].map((i) => {
    const at = look.spot(i, 0);
    const text = turn % 2 ? name(i, 0)[1] : name(i, 0)[0];
    return s("text", { x: isFlat ? at.x : at.x - 7.4, y: isFlat ? 107 : at.y + 8.6, class: "label" }, text);
  });
  const up = [0, 1, 2, 3, 4].map((i) => {
    const at = look.spot(isFlat ? 0 : 4, i);
    const text = turn % 2 ? name(0, i)[0] : name(0, i)[1];
    return s("text", { x: isFlat ? 2.6 : at.x + 7.4, y: isFlat ? at.y + 1.6 : at.y + 8.6, class: "label" }, text);
  });
  return s("g", {}, along, up);
}

function defs() {
  const marker = { id: "head", viewBox: "0 0 8 8", refX: 6, refY: 4, markerWidth: 4, markerHeight: 4, orient: "auto" };
  return s("defs", {}, s("marker", marker, s("path", { d: "M0,0 L8,4 L0,8z", class: "arrow-head" })));
}

/** @param {{x: number, y: number}} at @param {string} token */
function badge({ x, y }, token) {
  return s(
    "g",
    { class: `token t-${token}` },
    s("circle", { cx: x + 5.4, cy: y - 5.2, r: 2.7 }),
    s("text", { x: x + 5.4, y: y - 4.1 }, token[0].toUpperCase()),
  );
}

/** A seat's mark alone, for lists. @param {string} seat @param {string} colour */
export function mark(seat, colour) {
  return s("svg", { viewBox: "0 0 24 24", class: "chip", "aria-hidden": "true" }, shape(seat, 12, 12, 9, `worker-mark c-${colour}`));
}

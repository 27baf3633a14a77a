// @ts-check
/** The board from above: towers are nested squares, brighter the higher, with the level as a number. */
import { s } from "./dom.js";
import { shape } from "./shapes.js";

const STEP = 20;
const SIZES = [18.6, 16, 12.6, 9.2];

/** @typedef {{x: number, y: number}} Spot */

/** @param {number} column @param {number} row both as seen, from the lower left @returns {Spot} */
export function spot(column, row) {
  return { x: 6 + STEP * column + STEP / 2, y: 2 + STEP * (4 - row) + STEP / 2 };
}

/** @param {number} x @param {number} y @param {number} size @param {string} kind */
function square(x, y, size, kind) {
  return s("rect", { x: x - size / 2, y: y - size / 2, width: size, height: size, rx: size / 9, class: kind });
}

/** The way to draw the board flat. */
export const flat = {
  box: "0 0 108 108",
  size: { w: 108, h: 108 },
  reach: STEP,
  spot,
  /** @param {number} column @param {number} row @param {any} cell */
  hit: (column, row, cell) => ({ ...spot(column, row), w: STEP, h: STEP, cell, clip: "" }),

  /** @param {number} column @param {number} row @param {any} cell @param {string} state class names of the space */
  tile(column, row, cell, state) {
    const { x, y } = spot(column, row);
    const parts = [square(x, y, SIZES[0], `ground ${(column + row) % 2 ? "odd" : ""}`)];
    for (let level = 1; level <= cell.height; level++) parts.push(square(x, y, SIZES[level], `level l${level}`));
    if (cell.dome) parts.push(dome(x, y, cell.proxy));
    if (state) parts.push(square(x, y, SIZES[0] - 0.8, `mark ${state}`));
    if (cell.height && !cell.dome) {
      const [tx, ty] = [x - 7.1, y + 8.3];
      parts.push(s("text", { x: tx, y: ty, class: "number" }, String(cell.height)));
    }
    return s("g", {}, parts);
  },

  /** @param {Spot} at @param {any} worker @param {string} colour @param {string} state */
  worker({ x, y }, worker, colour, state) {
    const r = 5.2;
    return s(
      "g",
      { class: `worker ${state}` },
      shape(worker.shape, x, y + 0.5, r + 1.1, "worker-shadow"),
      shape(worker.shape, x, y, r, `worker-mark c-${colour}`),
      worker.sex === "f" && s("circle", { cx: x, cy: y, r: 1.5, class: "worker-dot" }),
    );
  },

  /** @param {Spot} from @param {Spot} to */
  arrow(from, to) {
    return s("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y, class: "arrow", "marker-end": "url(#head)" });
  },
};

/** @param {number} x @param {number} y @param {boolean} proxy */
function dome(x, y, proxy) {
  return s(
    "g",
    { class: proxy ? "dome proxy" : "dome" },
    s("circle", { cx: x, cy: y, r: 5.9 }),
    s("path", { d: `M${x - 3.4},${y - 0.8} a3.6,3.6 0 0 1 3.2,-3`, class: "shine" }),
  );
}

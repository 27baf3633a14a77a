// @ts-check
/** The board at a slant: towers stand up, so heights are seen as heights. */
import { s } from "./dom.js";
import { shape } from "./shapes.js";

const U = 10.4;
const FLAT = 0.78;
const D = U * FLAT;
const RISE = [0, 4.2, 3.6, 3.2];
const FOOT = [1, 0.86, 0.7, 0.54];
const TOP = 16;

/** @typedef {{x: number, y: number}} Spot */

/** @param {number} column @param {number} row @param {number} [z] @returns {Spot} */
export function spot(column, row, z = 0) {
  return { x: 54 + (column - (4 - row)) * U, y: TOP + (column + (4 - row)) * D + D - z };
}

/** @param {number} height */
function rise(height) {
  return RISE.slice(0, height + 1).reduce((sum, part) => sum + part, 0);
}

/** @param {Spot} at @param {number} size */
function diamond({ x, y }, size) {
  const [w, d] = [U * size, D * size];
  return [
    [x, y - d],
    [x + w, y],
    [x, y + d],
    [x - w, y],
  ];
}

/** @param {number[][]} points @param {string} kind */
function face(points, kind) {
  return s("polygon", { points: points.map((p) => p.map((n) => n.toFixed(2)).join(",")).join(" "), class: kind });
}

/** @param {Spot} base @param {number} size @param {number} up @param {string} kind */
function block(base, size, up, kind) {
  const [, right, front, left] = diamond(base, size);
  const lift = (/** @type {number[]} */ [x, y]) => [x, y - up];
  return s(
    "g",
    { class: kind },
    face([left, front, lift(front), lift(left)], "side-left"),
    face([front, right, lift(right), lift(front)], "side-right"),
    face(diamond({ x: base.x, y: base.y - up }, size), "top"),
  );
}

/** @param {Spot} at @param {boolean} proxy */
function dome({ x, y }, proxy) {
  const r = U * 0.46;
  return s(
    "g",
    { class: proxy ? "dome proxy" : "dome" },
    s("path", { d: `M${x - r},${y} a${r},${r * 1.12} 0 0 1 ${2 * r},0 a${r},${r * 0.5} 0 0 1 ${-2 * r},0z` }),
    s("path", { d: `M${x - r * 0.6},${y - r * 0.35} a${r * 0.7},${r * 0.7} 0 0 1 ${r * 0.5},${-r * 0.45}`, class: "shine" }),
  );
}

/** The left outline of what stands on a space, from its foot up. @param {any} cell @returns {number[][]} */
function figure(cell) {
  if (cell.worker) return [[-4.1, 0], [-1.9, -4], [-3.7, -6.6], [-2.4, -9.3], [0, -10.4]];
  const r = U * 0.46;
  return cell.dome ? [[-r, 0.6], [-r * 0.87, -r * 0.45], [-r * 0.5, -r * 0.86], [0, -r]] : [];
}

/** The left outline of a space with all that stands on it, from the front corner up. @param {any} cell @returns {number[][]} */
function outline(cell) {
  const points = [[0, D], [-U, 0]];
  let [wide, up] = [1, 0];
  for (let level = 1; level <= cell.height; level++) {
    const foot = FOOT[level];
    // Along the upper edge of what is below, then up the wall.
    points.push([-U * foot, -up - D * (wide - foot)], [-U * foot, -up - RISE[level]]);
    [wide, up] = [foot, up + RISE[level]];
  }
  // Only what rises over the far edges of the topmost face changes the outline.
  const edge = (/** @type {number} */ x) => -D * (wide + x / U);
  const top = figure(cell).filter(([x, y]) => y < edge(x));
  const begin = top.length ? [top[0][0], edge(top[0][0])] : [0, edge(0)];
  return [...points, begin, ...top].map(([x, y], i) => [x, i < points.length ? y : y - up]);
}

/** Where a finger means a space: all of it that is drawn. @param {Spot} base @param {any} cell */
function hit({ x, y }, cell) {
  const left = outline(cell);
  const right = left.map(([a, b]) => [-a, b]).reverse();
  const high = -Math.min(...left.map(([, b]) => b));
  const [w, h] = [2 * U, high + D];
  const share = (/** @type {number[]} */ [a, b]) => `${(((a + U) / w) * 100).toFixed(2)}% ${(((b + high) / h) * 100).toFixed(2)}%`;
  const clip = `polygon(${[...left, ...right].map(share).join(", ")})`;
  return { x, y: y - high + h / 2, w, h, cell, clip };
}

/** The way to draw the board at a slant. */
export const iso = {
  box: "0 0 108 106",
  size: { w: 108, h: 106 },
  reach: U * 1.3,
  spot: (/** @type {number} */ column, /** @type {number} */ row, cell = { height: 0 }) =>
    spot(column, row, rise(cell.height)),
  /** @param {number} column @param {number} row @param {any} cell */
  hit: (column, row, cell) => hit(spot(column, row), cell),

  /** @param {number} column @param {number} row @param {any} cell @param {string} state */
  tile(column, row, cell, state) {
    const base = spot(column, row);
    const parts = [face(diamond(base, 0.97), `ground ${(column + row) % 2 ? "odd" : ""}`)];
    for (let level = 1; level <= cell.height; level++) {
      const under = spot(column, row, rise(level - 1));
      parts.push(block(under, FOOT[level], RISE[level], `block l${level}`));
    }
    const top = spot(column, row, rise(cell.height));
    if (state) parts.push(face(diamond(top, cell.height ? FOOT[cell.height] : 0.9), `mark ${state}`));
    if (cell.dome) parts.push(dome({ x: top.x, y: top.y + 0.6 }, cell.proxy));
    return s("g", {}, parts);
  },

  /** @param {Spot} at @param {any} worker @param {string} colour @param {string} state */
  worker({ x, y }, worker, colour, state) {
    return s(
      "g",
      { class: `worker ${state}` },
      s("ellipse", { cx: x, cy: y + 0.4, rx: 4.1, ry: 2.2, class: "worker-shadow" }),
      s("path", { d: `M${x - 3.3},${y} L${x - 1.5},${y - 4.6} h3 L${x + 3.3},${y} a3.3,1.8 0 0 1 -6.6,0z`, class: `worker-mark c-${colour}` }),
      shape(worker.shape, x, y - 6.6, 3.3, `worker-mark c-${colour}`),
      worker.sex === "f" && s("circle", { cx: x, cy: y - 6.6, r: 1.1, class: "worker-dot" }),
    );
  },

  /** @param {Spot} from @param {Spot} to */
  arrow(from, to) {
    const [mx, my] = [(from.x + to.x) / 2, Math.min(from.y, to.y) - 9];
    const d = `M${from.x},${from.y - 4} Q${mx},${my} ${to.x},${to.y - 3}`;
    return s("path", { d, class: "arrow", fill: "none", "marker-end": "url(#head)" });
  },
};

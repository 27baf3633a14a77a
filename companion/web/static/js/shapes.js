// @ts-check
/** Owners have a shape as well as a colour: disc, diamond, triangle, hexagon. */
import { s } from "./dom.js";

/** @param {string} seat @param {number} x @param {number} y @param {number} r @returns {string} points or "" for a disc */
function corners(seat, x, y, r) {
  const [count, turn] = { B: [4, 0], C: [3, -90], D: [6, 0] }[seat] ?? [0, 0];
  const grown = seat === "C" ? r * 1.18 : seat === "B" ? r * 1.12 : r;
  const down = seat === "C" ? r * 0.12 : 0;
  return Array.from({ length: count }, (_, i) => {
    const angle = ((turn + (360 / count) * i) * Math.PI) / 180;
    return `${(x + grown * Math.cos(angle)).toFixed(2)},${(y + down + grown * Math.sin(angle)).toFixed(2)}`;
  }).join(" ");
}

/**
 * The mark of a seat.
 * @param {string} seat @param {number} x @param {number} y @param {number} r @param {string} kind class names
 */
export function shape(seat, x, y, r, kind) {
  const points = corners(seat, x, y, r);
  return points ? s("polygon", { points, class: kind }) : s("circle", { cx: x, cy: y, r, class: kind });
}

/** A small mark for text, in the colour of a player. @param {{seat: string, colour: string, team?: string}} player */
export function chip(player) {
  return s(
    "svg",
    { viewBox: "0 0 24 24", class: "chip", "aria-hidden": "true" },
    shape(player.team ?? player.seat, 12, 12, 9, `worker-mark c-${player.colour}`),
  );
}

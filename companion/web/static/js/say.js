// @ts-check
/** Puts views into words: spaces, steps, turns. */
import { t } from "./context.js";

/** @param {any} view @param {string | null} seat */
export function playerOf(view, seat) {
  return view.players.find((/** @type {any} */ p) => p.seat === seat) ?? null;
}

/** @param {any} view @param {string | null} seat */
export function nameOf(view, seat) {
  return playerOf(view, seat)?.name || seat || "";
}

/** A space for a screen reader. @param {any} view @param {any} cell @param {boolean} lit */
export function spaceInWords(view, cell, lit) {
  const facts = { space: cell.cell, level: cell.height };
  const parts = [t(cell.dome ? "ui.cell.dome" : cell.height ? "ui.cell.level" : "ui.cell.ground", facts)];
  if (cell.worker) parts.push(t("ui.cell.worker", { player: nameOf(view, cell.worker.seat) }));
  for (const token of cell.tokens) parts.push(t(`term.${token}`));
  if (lit) parts.push(t("ui.cell.can_choose"));
  return parts.join(", ");
}

/** @type {[RegExp, string, string[]][]} */
const WORDS = [
  [/^[A-D]\d:(\w\d)>(\w\d)$/, "step.move", ["from", "space"]],
  [/^[A-D]\d:(\w\d)~(\w\d)$/, "step.force", ["from", "space"]],
  [/^(?:[A-D]\d)?\+(\w\d)$/, "step.block", ["space"]],
  [/^(?:[A-D]\d)?\^(\w\d)$/, "step.dome", ["space"]],
  [/^([A-D]\d)<>([A-D]\d)$/, "step.swap", ["worker", "other"]],
  [/^x([A-D]\d)$/, "step.remove_worker", ["worker"]],
  [/^-(\w\d)$/, "step.remove_block", ["space"]],
  [/^[A-D]\d@(\w\d)$/, "step.place", ["space"]],
  [/^(wind|song)@([NESW]{1,2})$/, "step.arrow", ["token", "direction"]],
  [/^(wind|song)@card$/, "step.arrow_card", ["token"]],
  [/^mark@([A-D]\d)$/, "step.mark", ["worker"]],
  [/^proxy@(\w\d)$/, "step.proxy", ["space"]],
  [/^card@(\w+)$/, "step.draw", ["power"]],
  [/^(\w+)@(\w\d)$/, "step.token", ["token", "space"]],
  [/^agree@[A-D]?$/, "step.agree", []],
  [/^resign$/, "step.resign", []],
  [/^use$/, "step.use", []],
  [/^pass$/, "step.pass", []],
  [/^end$/, "step.end", []],
];

/** What a step names by a word of its own has a name in every language. @type {Record<string, (word: string) => any>} */
const NAMED = {
  token: (word) => ({ key: `term.${word}` }),
  direction: (word) => ({ key: `term.direction.${word.toLowerCase()}` }),
  power: (word) => ({ key: `power.${word}.name` }),
};

/** A step in words. @param {string} step */
export function stepInWords(step) {
  for (const [pattern, key, names] of WORDS) {
    const found = pattern.exec(step);
    if (found) return t(key, Object.fromEntries(names.map((name, i) => [name, NAMED[name]?.(found[i + 1]) ?? found[i + 1]])));
  }
  return step;
}

/** A turn in words. @param {string} turn */
export function turnInWords(turn) {
  const words = turn.replace(/[[\]]/g, " ").split(/\s+/).filter(Boolean);
  return words.map((word) => (word.startsWith("!") ? `✗ ${stepInWords(word.slice(1))}` : stepInWords(word))).join(", ");
}

/** The spaces that a step ends on, to show what happened last. @param {string} turn @returns {Set<string>} */
export function touchedBy(turn) {
  return new Set(turn.match(/[a-e][1-5]/g) ?? []);
}

// @ts-check
/** Two minutes without a rulebook: seven cards with a board that shows what they say. */
import { Board } from "../board.js";
import { t } from "../context.js";
import { announce, h, put } from "../dom.js";
import { asCells, play, empty } from "../notation.js";
import { prefer } from "../prefs.js";
import { spaceInWords } from "../say.js";

const START = "A1@b2 A2@d4 B1@c3 B2@d2";
const LATER = `${START} +b3 +c4 +c4 +a3 +a3 +b4 +b4 +b4 +e3 +e3 +e3 ^e3 A1:b2>b3`;

/** @type {{name: string, turn: string, lit?: string[], chosen?: string[], arrows?: any[], warn?: string[]}[]} */
const CARDS = [
  { name: "board", turn: START },
  { name: "move", turn: START, chosen: ["b2"], lit: ["a1", "b1", "c1", "a2", "c2", "a3", "b3"] },
  { name: "build", turn: `${START} A1:b2>b3`, chosen: ["b3"], lit: ["a2", "b2", "c2", "a3", "a4", "b4", "c4"] },
  { name: "win", turn: `${LATER} A1:b3>c4`, chosen: ["c4"], lit: ["b4"] },
  { name: "powers", turn: LATER, chosen: ["b3"], lit: ["c3"] },
  { name: "phone", turn: LATER, chosen: ["b3"], lit: ["a3", "b2", "c4"] },
  { name: "slip", turn: LATER, warn: ["b4", "b3"], arrows: [{ from: "b4", to: "b3" }] },
];
const PLAYERS = [
  { seat: "A", name: "A", colour: "blue" },
  { seat: "B", name: "B", colour: "white" },
];

/** @param {HTMLElement} page */
export async function open(page) {
  let at = 0;
  const board = new Board({ label: t("ui.board") });
  const title = h("h2", {});
  const words = h("p", {});
  const count = h("p", { class: "soft" });
  const done = () => (prefer({ toured: true }), location.assign("/"));
  const next = h("button", { class: "main", onclick: () => (at + 1 < CARDS.length ? go(at + 1) : done()) });
  const back = h("button", { onclick: () => go(Math.max(0, at - 1)) }, t("ui.back"));
  const go = (/** @type {number} */ to) => {
    at = to;
    const card = CARDS[at];
    title.textContent = t(`tour.${card.name}.title`);
    words.textContent = t(`tour.${card.name}`);
    count.textContent = t("wizard.step", { number: at + 1, total: CARDS.length });
    next.textContent = at + 1 < CARDS.length ? t("ui.next") : t("tour.done");
    back.disabled = at === 0;
    announce(`${title.textContent}. ${words.textContent}`);
    const cells = asCells(play(empty(), card.turn));
    const sets = { lit: new Set(card.lit), chosen: new Set(card.chosen), warn: new Set(card.warn) };
    board.render({ cells, players: PLAYERS, arrows: card.arrows, ...sets, say: (cell) => spaceInWords({ players: PLAYERS }, cell, false) });
  };
  put(
    page,
    h(
      "article",
      { class: "paper tour" },
      h("header", {}, h("h1", { class: "grow" }, t("tour.title")), h("a", { class: "button", href: "/" }, t("tour.skip"))),
      board.element,
      title,
      words,
      count,
      h("div", { class: "tray" }, back, next),
    ),
  );
  go(0);
}

// @ts-check
/** Looking back: every turn in words, and the board as it was, by a slider or by itself. */
import { Board } from "../board.js";
import { t } from "../context.js";
import { h, sheet } from "../dom.js";
import { asCells, positions } from "../notation.js";
import { nameOf, spaceInWords, touchedBy, turnInWords } from "../say.js";

const BEAT = 900;

/** @param {any} play */
function mayGoBack(play) {
  return Boolean(play.seat) && play.view.may_undo && play.view.phase !== "over" && !play.view.waiting_for_key.length;
}

/** @param {any} play @param {boolean} [run] start playing at once */
export function openHistory(play, run = false) {
  const { view } = play;
  const all = positions(view.history);
  const board = new Board({ label: t("ui.board") });
  const words = h("p", { class: "turn-words", role: "status" });
  const slider = h("input", { type: "range", min: 0, max: view.history.length, value: run ? 0 : view.history.length, "aria-label": t("history.title") });
  const show = () => {
    const at = Number(slider.value);
    const turn = view.history[at - 1];
    // The last position is the table's own: the board may have been corrected by hand.
    const cells = at === view.history.length ? view.board : asCells(all[at]);
    board.render({ cells, players: view.players, fresh: touchedBy(turn?.turn ?? ""), say: (cell) => spaceInWords(view, cell, false) });
    words.textContent = turn ? `${turn.n}. ${nameOf(view, turn.seat)}: ${turnInWords(turn.turn)}` : t("history.start");
    slider.setAttribute("aria-valuetext", words.textContent);
    const count = view.history.length - at;
    back.hidden = !count || !mayGoBack(play);
    back.textContent = t("undo.ask_turns", { count });
  };
  slider.addEventListener("input", show);
  let timer = 0;
  const stop = () => (clearInterval(timer), (timer = 0), (button.textContent = t("history.play")));
  const go = () => {
    if (Number(slider.value) === view.history.length) slider.value = "0";
    timer = setInterval(() => {
      slider.value = String(Number(slider.value) + 1);
      show();
      if (Number(slider.value) >= view.history.length) stop();
    }, BEAT);
    button.textContent = t("ui.stop");
  };
  const button = h("button", { class: "wide", onclick: () => (timer ? stop() : go()) }, t("history.play"));
  const back = h("button", { class: "wide", hidden: true, onclick: () => (close(), play.send({ do: "undo", keep: Number(slider.value) })) });
  const step = (/** @type {number} */ by) => ((slider.value = String(Number(slider.value) + by)), show());
  const row = h(
    "div",
    { class: "scrub" },
    h("button", { "aria-label": t("history.previous"), onclick: () => step(-1) }, "‹"),
    slider,
    h("button", { "aria-label": t("history.following"), onclick: () => step(1) }, "›"),
  );
  const close = sheet(t("history.title"), [board.element, words, row, button, back], { close: t("ui.close"), kind: "tall", onclose: stop });
  show();
  if (run) go();
}

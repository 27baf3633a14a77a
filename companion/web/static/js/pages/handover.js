// @ts-check
/** One phone for several seats: it shows nothing of the next player until they say it is them. */
import { t } from "../context.js";
import { h } from "../dom.js";
import { playerOf } from "../say.js";
import { chip } from "../shapes.js";

/** Which of my seats is asked something by the others? @param {any} view @param {string[]} mine @returns {string | undefined} */
function asked(view, mine) {
  const undo = Object.entries(view.undo?.answers ?? {}).find(([seat, answer]) => answer === null && mine.includes(seat));
  if (undo) return undo[0];
  if (mine.includes(view.asked)) return view.asked;
  const by = view.end_offered_by;
  return by && mine.includes(by) ? mine.find((seat) => seat !== by) : undefined;
}

/** The turn that somebody took the phone in. @param {any} view @param {string | null} seat */
const turnOf = (view, seat) => `${seat} ${view.to_move} ${view.history.length}`;

/** Which of my seats has to act now? @param {any} play @returns {string | null} */
export function wanted({ view, mine, seat, lent }) {
  const first = asked(view, mine);
  if (first) return first;
  // Somebody asked for the phone although it is not their turn: it is theirs until the turn is over.
  if (lent === turnOf(view, seat)) return seat;
  return mine.includes(view.to_move) ? view.to_move : null;
}

/** Another seat of this device that may break in now: nobody has to, so it is only offered. @param {any} play @returns {any[]} */
export function mayBreakIn(play) {
  const seats = play.view.acting.filter((/** @type {string} */ seat) => seat !== play.seat && play.mine.includes(seat));
  return seats.map((/** @type {string} */ seat) => {
    const player = play.name(seat);
    const act = () => (play.screen ? lend(play, seat) : coverFor(play, seat, true));
    return h("button", { class: "wide", "data-lend": seat, onclick: act }, t(play.screen ? "ui.screen_for" : "ui.hand_over", { player }));
  });
}

/** Let a seat act out of turn, until the turn is over. @param {any} play @param {string} seat */
function lend(play, seat) {
  play.lent = turnOf(play.view, seat);
  play.watch(seat);
}

/** Cover the page when the phone has to change hands; true while it is covered. @param {any} play */
export function handOver(play) {
  const next = play.mine.length > 1 && play.view.phase !== "over" ? wanted(play) : null;
  if (!next || next === play.seat) {
    const old = /** @type {HTMLElement | null} */ (document.querySelector(".handover"));
    // Who asked for the phone has not taken it yet: what comes in meanwhile uncovers nothing.
    if (old?.dataset.lent) return true;
    if (old) uncover();
    play.speak(play.seat);
    return false;
  }
  coverFor(play, next);
  return true;
}

/** Hide the page itself: what is behind the cover is for nobody's eyes and no screen reader. @param {boolean} hidden */
function hide(hidden) {
  const page = document.getElementById("page");
  if (page) page.hidden = hidden;
}

function uncover() {
  document.querySelector(".handover")?.remove();
  hide(false);
}

/** @param {any} play @param {string} seat @param {boolean} [outOfTurn] whether the phone is handed over out of turn */
export function coverFor(play, seat, outOfTurn = false) {
  uncover();
  hide(true);
  // The phone changes hands: it already speaks the language of who takes it.
  play.speak(seat);
  const player = playerOf(play.view, seat);
  const take = () => {
    uncover();
    if (outOfTurn) return lend(play, seat);
    play.lent = "";
    play.watch(seat);
  };
  const go = h(
    "button",
    { class: "main wide", onclick: take },
    t("ui.hand_over_ready", { player: player.name }),
  );
  const cover = h(
    "div",
    { class: "handover", role: "dialog", "aria-modal": "true", "aria-labelledby": "handover-title", "data-lent": outOfTurn && seat },
    chip(player),
    h("h1", { id: "handover-title" }, t("ui.hand_over", { player: player.name })),
    h("p", {}, t("ui.hand_over_why")),
    go,
  );
  document.body.append(cover);
  go.focus();
}

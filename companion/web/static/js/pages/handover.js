// @ts-check
/** One phone for several seats: it shows nothing of the next player until they say it is them. */
import { t } from "../context.js";
import { h } from "../dom.js";
import { playerOf } from "../say.js";
import { chip } from "../shapes.js";

/** Which of my seats has to act now? @param {any} view @param {string[]} mine @returns {string | null} */
function wanted(view, mine) {
  const asked = Object.entries(view.undo?.answers ?? {}).find(([seat, answer]) => answer === null && mine.includes(seat));
  if (asked) return asked[0];
  return mine.includes(view.to_move) ? view.to_move : null;
}

/** Cover the page when the phone has to change hands; true while it is covered. @param {any} play */
export function handOver(play) {
  const next = play.mine.length > 1 && play.view.phase !== "over" ? wanted(play.view, play.mine) : null;
  const old = document.querySelector(".handover");
  if (!next || next === play.seat) {
    if (old) uncover();
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

/** @param {any} play @param {string} seat */
export function coverFor(play, seat) {
  uncover();
  hide(true);
  const player = playerOf(play.view, seat);
  const go = h(
    "button",
    { class: "main wide", onclick: () => (uncover(), play.watch(seat)) },
    t("ui.hand_over_ready", { player: player.name }),
  );
  const cover = h(
    "div",
    { class: "handover", role: "dialog", "aria-modal": "true", "aria-labelledby": "handover-title" },
    chip(player),
    h("h1", { id: "handover-title" }, t("ui.hand_over", { player: player.name })),
    h("p", {}, t("ui.hand_over_why")),
    go,
  );
  document.body.append(cover);
  go.focus();
}

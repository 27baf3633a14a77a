// @ts-check
/** Panels about secrets: seals that were made, a key that is missing, a secret to be entered again. */
import { t } from "../context.js";
import { h } from "../dom.js";

/** @param {any} play */
export function secretPanels(play) {
  const { view } = play;
  return [lost(play), ...waiting(play), hiddenTurn(play), seals(view)];
}

/** @param {any} play */
function lost(play) {
  if (!play.keys.lost) return null;
  const count = play.entering?.length;
  const begin = () => ((play.entering = []), play.render());
  return h(
    "section",
    { class: "box ask", "aria-label": t("hidden.proof.title") },
    h("h2", {}, t("hidden.reenter")),
    h("p", { class: "soft" }, t("hidden.reenter.means"), " ", t("hidden.alone")),
    play.entering === null
      ? h("button", { class: "main wide", onclick: begin }, t("ui.continue"))
      : h("p", { role: "status" }, t(`hidden.place.${play.view.players.find((/** @type {any} */ p) => p.seat === play.seat)?.power}`), count ? ` (${count})` : ""),
  );
}

/** @param {any} play */
function waiting(play) {
  return play.view.waiting_for_key
    .filter((/** @type {string} */ seat) => seat !== play.seat)
    .map((/** @type {string} */ seat) => h("p", { class: "hint" }, t("join.key_needed", { player: play.name(seat) })));
}

/** What the owner should know before tapping. @param {any} play */
function hiddenTurn(play) {
  if (!play.prompt || !Object.keys(play.view.secret?.workers ?? {}).length) return null;
  return h("p", { class: "hint" }, t("hidden.your_turn"), " ", t("hidden.alone"));
}

/** @param {any} view */
function seals(view) {
  if (!view.commitments.length || view.result) return null;
  const name = (/** @type {string} */ seat) => view.players.find((/** @type {any} */ p) => p.seat === seat)?.name ?? seat;
  const lines = view.commitments.map((/** @type {any} */ c) => h("li", {}, t("hidden.proof.sealed", { player: name(c.seat), seal: c.commitment.slice(0, 8) })));
  return h("details", {}, h("summary", {}, t("hidden.proof.title")), h("p", { class: "soft" }, t("hidden.proof.means")), h("ol", { class: "code" }, lines));
}

// @ts-check
/** Setting one space by hand: level, dome, worker. */
import { t } from "../context.js";
import { h, sheet } from "../dom.js";

/** @param {any} play @param {string} cell @param {string[][]} [figures] what may stand there besides a dome */
export function editSpace(play, cell, figures) {
  const now = play.edited(play.view.board.find((/** @type {any} */ c) => c.cell === cell));
  const top = now.dome ? "dome" : (now.worker?.id ?? "");
  const choice = { height: now.height, top };
  const keep = () => {
    // Where workers are told apart one of them stands once.
    for (const [other, edit] of figures ? [] : moved(play, cell, choice.top)) play.edits.set(other, edit);
    play.edits.set(cell, { ...choice });
    close();
    play.render();
  };
  const levels = [0, 1, 2, 3].map((level) => radio("level", String(level), level === now.height, () => (choice.height = level)));
  const tops = [["", t("sync.nothing")], ["dome", t("term.dome")], ...(figures ?? workers(play))].map(([id, name]) =>
    radio("top", name, id === top, () => (choice.top = id)),
  );
  const close = sheet(
    t("ask.what_on", { space: cell }),
    [
      h("fieldset", { class: "radios" }, h("legend", {}, t("term.level")), levels),
      h("fieldset", { class: "radios" }, h("legend", {}, t("ask.what_top")), tops),
      h("button", { class: "main wide", onclick: keep }, t("ui.ok")),
    ],
    { close: t("ui.cancel") },
  );
}

/** A worker stands once: where it stood before there is nothing now. @param {any} play @param {string} cell @param {string} worker */
function moved(play, cell, worker) {
  if (!worker || worker === "dome") return [];
  return play.view.board
    .map((/** @type {any} */ c) => play.edited(c))
    .filter((/** @type {any} */ c) => c.cell !== cell && c.worker?.id === worker)
    .map((/** @type {any} */ c) => [c.cell, { height: c.height, top: "" }]);
}

/** @param {any} play @returns {string[][]} */
function workers(play) {
  const standing = play.view.board.flatMap((/** @type {any} */ c) => (c.worker ? [c.worker.id] : []));
  return [...new Set(standing)].sort().map((/** @type {any} */ id) => [id, `${play.name(id[0])} (${id})`]);
}

/** @param {string} group @param {string} label @param {boolean} checked @param {() => void} pick */
function radio(group, label, checked, pick) {
  return h("label", { class: "row" }, h("input", { type: "radio", name: group, checked, onchange: pick }), label);
}

// @ts-check
/** The end of a game: who won and how, what was hidden, watch again, keep the record, play again. */
import { call, Refused } from "../api.js";
import { shared, t } from "../context.js";
import { h, toast } from "../dom.js";
import { square } from "./veil.js";

/** @param {any} play */
export function endPanel(play) {
  const { view } = play;
  const { result } = view;
  const team = view.players.find((/** @type {any} */ p) => p.seat === play.seat)?.team;
  const title = !result.winner
    ? t("end.draw")
    : team
      ? t(team === result.winner ? "end.you_win" : "end.you_lose")
      : t("end.wins", { player: winners(view) });
  const may = play.mine.length > 0 || shared.me.host;
  return h(
    "section",
    { class: "box end", "aria-label": title },
    h("h2", {}, title),
    h("p", {}, result.winner && team && `${t("end.wins", { player: winners(view) })} `, t(result.how)),
    h("p", { class: "soft" }, t("end.turns", { count: view.history.length })),
    ...reveal(view),
    ...proof(play),
    h(
      "div",
      { class: "choices" },
      h("button", { class: "wide main", onclick: () => replay(play) }, t("end.replay")),
      may && h("button", { class: "wide", onclick: () => rematch(play) }, t("end.rematch")),
      h(
        "div",
        { class: "pair" },
        ["text", "json"].map((form) => h("a", { class: "button", href: `/api/tables/${view.table}/record?form=${form}`, download: "" }, t(`end.record_${form}`))),
      ),
    ),
  );
}

/** @param {any} view */
function winners(view) {
  return view.players.filter((/** @type {any} */ p) => p.team === view.result.winner).map((/** @type {any} */ p) => p.name).join(", ");
}

/** @param {any} view */
function reveal(view) {
  const all = Object.entries(view.result.reveal ?? {});
  if (!all.length) return [];
  const lines = all.map(([seat, hidden]) => {
    const name = view.players.find((/** @type {any} */ p) => p.seat === seat)?.name ?? seat;
    return h("li", {}, `${name}: ${Object.entries(/** @type {Record<string, string>} */ (hidden)).map(whatWhere).join(", ")}`);
  });
  return [h("h3", {}, t("end.reveal")), h("ul", {}, lines)];
}

/** A hidden worker, or a hidden square or space, and where it was. @param {[string, string]} hidden */
function whatWhere([what, where]) {
  if (what === "fate") return `${t("term.fate")} ${square(where).join(" ")}`;
  return `${t(what === "abyss" ? "term.abyss" : "term.worker")} ${where}`;
}

/** What this phone found out by itself about the seals. @param {any} play */
function proof(play) {
  const { view } = play;
  if (!view.chains.length) return [];
  if (!view.verifiable) return [h("p", {}, t("hidden.proof.open"))];
  const bad = play.keys.check(view).filter((/** @type {any} */ verdict) => !verdict.ok);
  const lines = bad.map((/** @type {any} */ v) => h("p", { class: "bad" }, `${play.name(v.seat)}: `, v.turn === null ? t("hidden.proof.bad") : t("hidden.proof.bad_turn", { number: v.turn })));
  return [...(lines.length ? lines : [h("p", { class: "good" }, t("hidden.proof.good"))]), h("p", { class: "soft" }, t("hidden.proof.means"))];
}

/** @param {any} play */
async function replay(play) {
  const { openHistory } = await import("./history.js");
  openHistory(play, true);
}

/** @param {any} play */
async function rematch(play) {
  try {
    await call("POST", `/api/tables/${play.table}/rematch`, {});
  } catch (error) {
    if (error instanceof Refused) toast(t(error.text));
    else throw error;
  }
}

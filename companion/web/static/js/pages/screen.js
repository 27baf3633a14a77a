// @ts-check
/** The table screen: shows what everybody may know, and plays for players without a phone whom the host seats here. */
import { call, Refused } from "../api.js";
import { loadMe, t } from "../context.js";
import { h, toast } from "../dom.js";
import { chip } from "../shapes.js";
import { give, given } from "./given.js";
import { wanted } from "./handover.js";

/** Whose view the screen shows: of a seat that is played here while that seat has to act, else everybody's. @param {any} play */
export function shownSeat(play) {
  return play.view.phase === "over" ? null : wanted(play);
}

/** The host lets this screen speak for a seat. @param {any} play @param {{seat: string, code: string}} place */
export async function invited(play, place) {
  try {
    await call("POST", "/api/join", { code: place.code });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return toast(t(error.text));
  }
  give(play.table, [...given(play.table), place.seat]);
  await loadMe();
  play.mine = play.held();
  await play.prepare();
  // The line was opened before this device had its cookie.
  play.line.open();
}

/** Whom the screen speaks for, and how somebody can be seated here. @param {any} play */
export function screenPanels(play) {
  const { view } = play;
  if (view.phase === "over") return [];
  const here = view.players.filter((/** @type {any} */ p) => play.mine.includes(p.seat));
  const free = view.players.some((/** @type {any} */ p) => !p.joined && !p.out);
  return [
    here.length > 0 && h("p", { class: "hint row" }, here.map(chip), h("span", {}, t("ui.screen_for", { player: here.map((/** @type {any} */ p) => p.name) }))),
    free && play.line.sign && h("p", { class: "hint", id: "sign" }, t("ui.screen_sign", { sign: play.line.sign })),
  ];
}

// @ts-check
/** Everything that is not the next move: hints, looks, looking back, ending. */
import { call } from "../api.js";
import { shared, t } from "../context.js";
import { h, sheet, toast } from "../dom.js";
import { prefer, prefs } from "../prefs.js";
import { coverFor } from "./handover.js";
import { openHistory } from "./history.js";
import { languageChoices } from "./language.js";

/** @type {Record<string, string>} */
const NAMES = { legal: "cells" };
const LEVELS = ["off", "next", "legal", "explain", "threats"];

/** @param {any} play */
export function openMenu(play) {
  if (!play.view) return;
  const { view } = play;
  /** @type {() => void} */
  let close = () => {};
  const item = (/** @type {string} */ label, /** @type {() => void} */ act, kind = "") =>
    h("button", { class: `wide ${kind}`, onclick: () => (close(), act()) }, label);
  const others = play.screen ? [] : play.mine.filter((/** @type {string} */ seat) => seat !== play.seat);
  const playing = play.seat && view.phase !== "over";
  close = sheet(
    t("ui.menu"),
    [
      play.seat && hintLevel(play, play.seat, t("hint.title")),
      shared.me.host && hostHints(play),
      h("div", { class: "pair" }, item(t("settings.turn_board"), () => (prefer({ turn: (prefs.turn + 1) % 4 }), play.render())), item(t(prefs.look === "iso" ? "settings.view.flat" : "settings.view.isometric"), () => (prefer({ look: prefs.look === "iso" ? "flat" : "iso" }), play.render()))),
      item(t("history.title"), () => openHistory(play)),
      supply(view.supply ?? {}),
      playing && runOut(view) && item(t("ask.proxy"), () => takeOff(play)),
      ...others.map((/** @type {string} */ seat) => item(t("ui.hand_over", { player: play.name(seat) }), () => coverFor(play, seat, true))),
      playing && view.undo_barred && h("p", { class: "row" }, t("undo.secret")),
      playing && view.may_redo && item(t("undo.redo"), () => play.send({ do: "redo" })),
      (playing || (shared.me.host && view.phase !== "over")) && item(t("sync.edit"), () => play.startEditing()),
      (playing || shared.me.host) && !view.paused && view.phase !== "over" && item(t("ui.pause"), () => play.send({ do: "pause" })),
      playing && item(t("ui.agree_end"), () => play.send({ do: "offer_end" })),
      playing && item(t("ui.resign"), () => sure(t("ui.resign_sure"), t("ui.resign"), () => play.send({ do: "resign" })), "danger"),
      shared.me.host && h("a", { class: "button wide", href: "/host" }, t("ui.host")),
      play.seat && item(t("join.your_name"), () => rename(play)),
      item(t("settings.title"), () => openSettings(play)),
      h("div", { class: "pair" }, h("a", { class: "button", href: "/tour" }, t("tour.title")), h("a", { class: "button", href: "/kept" }, t("legal.title"))),
      play.seat && item(t("legal.forget"), () => sure(t("join.leave_sure"), t("legal.forget"), () => leave(play)), "plain"),
    ],
    { close: t("ui.close") },
  );
}

/** What is left in the box, to be read at a glance. @param {Record<string, number>} left */
function supply(left) {
  const shapes = Object.entries({ level1: "1", level2: "2", level3: "3", dome: t("term.dome") });
  const told = shapes.filter(([shape]) => shape in left).map(([shape, name]) => `${name}:\u00a0${left[shape]}`);
  return told.length > 0 && h("p", {}, h("span", { class: "soft" }, t("ui.supply"), ": "), told.join(" · "));
}

/** Towers that may give their pieces, now that a shape is wanting: the 2017 book leaves their domes. @param {any} view @returns {string[]} */
function complete(view) {
  return view.board.filter((/** @type {any} */ c) => c.dome && c.height === 3 && !c.proxy).map((/** @type {any} */ c) => c.cell);
}

/** @param {any} view */
function runOut(view) {
  const wanting = Object.values(view.supply ?? {}).some((/** @type {number} */ left) => left <= 0);
  return view.edition === "spinmaster2017" && wanting && complete(view).length > 0;
}

/** Hands took a tower off; without a camera somebody has to say which. @param {any} play */
function takeOff(play) {
  const towers = complete(play.view).map((space) =>
    h("button", { class: "wide", onclick: () => (close(), play.send({ do: "step", step: `proxy@${space}` })) }, t("ask.proxy_here", { space })),
  );
  const close = sheet(t("ask.proxy"), towers, { close: t("ui.cancel") });
}

/** @param {any} play @param {string} seat @param {string} title */
function hintLevel(play, seat, title) {
  const now = play.view.players.find((/** @type {any} */ p) => p.seat === seat)?.hint_level ?? "legal";
  const change = async (/** @type {Event} */ event) => {
    const level = /** @type {HTMLSelectElement} */ (event.target).value;
    const reply = await play.line.do({ do: "hint_level", seat, level }, seat !== play.seat);
    if (reply.key) toast(t(reply));
  };
  const options = LEVELS.map((level) => h("option", { value: level, selected: level === now }, t(`hint.level.${NAMES[level] ?? level}`)));
  return h("label", { class: "row" }, h("span", { class: "grow" }, title), h("select", { onchange: change }, options));
}

/** The host sets the hints of everybody, so that it is fair. @param {any} play */
function hostHints(play) {
  const others = play.view.players.filter((/** @type {any} */ p) => p.seat !== play.seat);
  return h("details", {}, h("summary", {}, `${t("hint.title")}: ${t("ui.players")}`), others.map((/** @type {any} */ p) => hintLevel(play, p.seat, p.name)));
}

/** @param {any} play */
function rename(play) {
  const field = h("input", { id: "my-name", maxlength: 24, value: play.name(play.seat), autocomplete: "off" });
  const keep = async () => {
    close();
    if (field.value.trim()) await play.send({ do: "rename", seat: play.seat, name: field.value.trim() });
  };
  const close = sheet(t("join.your_name"), [h("label", { for: "my-name" }, t("setup.name")), field, h("button", { class: "main wide", onclick: keep }, t("ui.ok"))], { close: t("ui.cancel") });
}

/** @param {string} question @param {string} yes @param {() => void} act */
export function sure(question, yes, act) {
  const close = sheet(question, [h("button", { class: "danger wide", onclick: () => (close(), act()) }, yes)], { close: t("ui.cancel") });
}

/** @param {any} play */
async function ownDevice(play) {
  const { openDevice } = await import("./device.js");
  await openDevice(play);
}

/** @param {any} play */
async function leave(play) {
  await call("DELETE", `/api/tables/${play.table}/seats/${play.seat}`);
  location.assign("/");
}

/** @param {any} [play] */
export function openSettings(play) {
  const spoken = async () => {
    close();
    if (!play) return location.reload();
    await play.prepare();
    play.speak(play.seat);
    play.render();
  };
  const theme = (/** @type {Event} */ event) => prefer({ theme: /** @type {any} */ (event.target).value });
  const close = sheet(
    t("settings.title"),
    [
      ...languageChoices(play, spoken),
      select(t("settings.theme"), ["auto", "dark", "light"].map((name) => [name, t(`settings.theme.${name}`)]), prefs.theme, theme),
      tick(t("settings.sound"), prefs.sounds, (on) => prefer({ sounds: on })),
      "vibrate" in navigator && tick(t("settings.vibration"), prefs.buzz, (on) => prefer({ buzz: on })),
      play?.seat && h("button", { class: "wide", onclick: () => (close(), ownDevice(play)) }, t("settings.device")),
    ],
    { close: t("ui.close") },
  );
}

/** @param {string} label @param {string[][]} options @param {string} now @param {(event: Event) => void} change */
function select(label, options, now, change) {
  const all = options.map(([value, name]) => h("option", { value, selected: value === now }, name));
  return h("label", { class: "row" }, h("span", { class: "grow" }, label), h("select", { onchange: change }, all));
}

/** @param {string} label @param {boolean} now @param {(on: boolean) => void} change */
function tick(label, now, change) {
  const box = h("input", { type: "checkbox", checked: now, onchange: () => change(box.checked) });
  return h("label", { class: "row" }, h("span", { class: "grow" }, label), box);
}

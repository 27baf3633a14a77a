// @ts-check
/** The host's page: open tables with their seats, a new game, games from the shelf. */
import { call, Refused } from "../api.js";
import { loadMe, powerName, shared, t } from "../context.js";
import { h, put, toast } from "../dom.js";
import { chip } from "../shapes.js";
import { openSettings, sure } from "./menu.js";
import { openSeat } from "./seats.js";

/** @param {HTMLElement} page */
export async function open(page) {
  if (!shared.me.host) return askForCode(page);
  const root = h("div", { class: "paper" });
  put(page, root);
  await draw(root);
}

/** Do something; a refusal is said and not thrown. @template T @param {() => Promise<T>} act @returns {Promise<T | null>} */
export async function attempt(act) {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    toast(t(error.text), "refused");
    return null;
  }
}

/** @param {HTMLElement} page */
function askForCode(page) {
  const field = h("input", { type: "text", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", id: "host-code" });
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if ((await attempt(() => call("POST", "/api/host", { code: field.value || " " }).then(() => true))) === null) return;
    await loadMe();
    await open(page);
  };
  put(
    page,
    h(
      "form",
      { class: "middle stack", onsubmit: send },
      h("h1", {}, t("join.become_host")),
      h("p", { class: "soft" }, t("join.host_code.means")),
      h("label", { for: "host-code" }, t("join.host_code")),
      field,
      h("button", { class: "main", type: "submit" }, t("ui.ok")),
      h("a", { class: "button", href: "/" }, t("ui.back")),
    ),
  );
}

/** @param {HTMLElement} root */
async function draw(root) {
  await loadMe();
  const [games, seats, devices] = await Promise.all([
    call("GET", "/api/games"),
    Promise.all(shared.me.tables.map(seatsOf)),
    Promise.all(shared.me.tables.map((table) => attempt(() => call("GET", `/api/tables/${table.table}/devices`)))),
  ]);
  const tables = shared.me.tables.map((table, i) => tableBox(root, table, seats[i], devices[i]));
  put(
    root,
    h("header", {}, h("a", { class: "button round", href: "/", "aria-label": t("ui.back") }, "‹"), h("h1", { class: "grow" }, t("ui.host")), h("button", { onclick: () => openSettings() }, t("settings.title"))),
    h("button", { class: "main wide", onclick: () => newGame(root) }, t("setup.title")),
    ...tables.reverse(),
    savedBox(root, games),
    h("a", { href: "/kept" }, t("legal.title")),
  );
}

/** @param {any} table */
async function seatsOf(table) {
  return (await attempt(() => call("GET", `/api/tables/${table.table}/seats`))) ?? [];
}

/** @param {HTMLElement} root */
async function newGame(root) {
  const { openNewGame } = await import("./newgame.js");
  await openNewGame(root, () => draw(root));
}

/** Whether seats may have a device of their own; off unless the host wants it. @param {any} table @param {boolean} on */
function deviceSwitch(table, on) {
  const change = async () => {
    const now = await attempt(() => call("PUT", `/api/tables/${table.table}/devices`, { on: box.checked }));
    box.checked = now ? now.on : on;
  };
  const box = h("input", { type: "checkbox", checked: on, onchange: change, "data-devices": table.table });
  return h("label", { class: "row" }, h("span", { class: "grow" }, t("settings.device.offer")), box);
}

/** @param {HTMLElement} root @param {any} table @param {any[]} seats @param {{possible: boolean, on: boolean} | null} devices */
function tableBox(root, table, seats, devices) {
  const again = () => draw(root);
  const rows = seats.map((seat) => {
    const player = table.players.find((/** @type {any} */ p) => p.seat === seat.seat);
    const state = seat.mine ? t("ui.name_you", { player: player.name }) : t(seat.taken ? "ui.online" : "join.seat_free");
    return h(
      "button",
      { class: "row player", onclick: () => openSeat(table, player, seat, again) },
      chip(player),
      h("span", { class: "grow" }, h("strong", {}, player.name), h("small", {}, powerName(player.power))),
      h("span", { class: seat.taken ? "good" : "soft" }, state),
    );
  });
  const who = table.players.map((/** @type {any} */ p) => p.name).join(" – ");
  return h(
    "section",
    { class: "box", "aria-label": `${t("ui.table", { name: table.table })}: ${who}` },
    h("h2", {}, who),
    seats.some((seat) => !seat.taken) && h("p", { class: "soft" }, t("join.tap_player")),
    h("div", { class: "choices" }, rows),
    seats.length > 0 && seats.every((seat) => !seat.taken) && h("button", { class: "wide", "data-all-here": table.table, onclick: () => allHere(root, table, seats) }, t("join.all_here")),
    h(
      "div",
      { class: "pair" },
      h("a", { class: "button main", href: `/table/${table.table}` }, t("ui.board")),
      h("a", { class: "button", href: `/screen/${table.table}` }, t("ui.table_screen")),
    ),
    shared.me.camera && h("button", { class: "wide", "data-wizard": table.table, onclick: () => wizard(root, table) }, t("wizard.title")),
    h("button", { class: "wide", onclick: () => lights(table) }, t("settings.lights")),
    devices?.possible && deviceSwitch(table, devices.on),
    watchers(),
  );
}

/** One device for all: the shortest way to a first game. @param {HTMLElement} root @param {any} table @param {any[]} seats */
async function allHere(root, table, seats) {
  for (const { seat } of seats) {
    const taken = await attempt(() => call("POST", `/api/tables/${table.table}/seats/${seat}/take`).then(() => true));
    // A power with a secret wants a phone of its own: its seat is left for one.
    if (!taken) return draw(root);
  }
  location.assign(`/table/${table.table}`);
}

/** Who only watches needs no code, just the address. */
function watchers() {
  return h("p", { class: "soft" }, `${t("join.watch")}: `, h("span", { class: "code" }, shared.me.address));
}

/** @param {any} table */
async function lights(table) {
  const { openLights } = await import("./lights.js");
  await openLights(table.table);
}

/** @param {HTMLElement} root @param {any} table */
async function wizard(root, table) {
  const { openWizard } = await import("./wizard.js");
  await openWizard(root, table, () => draw(root));
}

/** @param {HTMLElement} root @param {any[]} games */
function savedBox(root, games) {
  const rows = games.map((game) =>
    h(
      "li",
      {},
      h("strong", {}, titled(game)),
      h("span", { class: "soft" }, `${t(`saved.${game.state}`)} · ${when(game.created)}`),
      h(
        "div",
        { class: "pair" },
        h("button", { "aria-label": `${t("saved.open")}: ${game.title}`, onclick: () => reopen(game) }, t("saved.open")),
        h("button", { class: "danger", "aria-label": `${t("ui.delete")}: ${game.title}`, onclick: () => sure(t("saved.delete_sure"), t("ui.delete"), () => remove(root, game)) }, t("ui.delete")),
      ),
    ),
  );
  return h(
    "section",
    {},
    h("h2", {}, t("saved.title")),
    rows.length ? h("ul", { class: "list" }, rows) : h("p", { class: "soft" }, t("saved.none")),
    h("label", { class: "button wide", for: "record" }, t("saved.import")),
    h("input", { id: "record", type: "file", accept: ".txt,.json,text/plain,application/json", class: "unseen", onchange: (/** @type {any} */ e) => takeIn(e.target) }),
  );
}

/** A time as people here write it. @param {string | number} time */
function when(time) {
  const here = navigator.languages.find((tag) => tag.startsWith(shared.texts.language)) ?? shared.texts.language;
  return new Date(time).toLocaleString(here, { dateStyle: "medium", timeStyle: "short" });
}

/** Games are kept with the powers' English names; they are shown in the reader's language. @param {any} game */
function titled(game) {
  return (game.title || game.game).replace(/\(([A-Za-z]+)\)/g, (/** @type {string} */ all, /** @type {string} */ name) => {
    const key = `power.${name.toLowerCase()}.name`;
    return shared.texts.has(key) ? `(${t(key)})` : all;
  });
}

/** A record becomes a game of this folder: to be looked at again, or gone on with. @param {HTMLInputElement} field */
async function takeIn(field) {
  const file = field.files?.[0];
  if (!file) return;
  const record = await file.text();
  field.value = "";
  const opened = await attempt(() => call("POST", "/api/games", { record }));
  if (opened) location.assign(`/table/${opened.table}`);
}

/** @param {any} game */
async function reopen(game) {
  const opened = await attempt(() => call("POST", `/api/games/${game.game}/open`));
  if (opened) location.assign(`/table/${opened.table}`);
}

/** @param {HTMLElement} root @param {any} game */
async function remove(root, game) {
  await attempt(() => call("DELETE", `/api/games/${game.game}`));
  toast(t("saved.deleted"));
  await draw(root);
}

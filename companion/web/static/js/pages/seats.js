// @ts-check
/** One seat for the host: its code, this phone, a lost phone. */
import { call } from "../api.js";
import { loadMe, shared, t } from "../context.js";
import { h, put, sheet } from "../dom.js";
import { takeBack } from "./given.js";
import { attempt } from "./host.js";
import { seatLanguage } from "./language.js";
import { sure } from "./menu.js";

/**
 * @param {any} table @param {any} player @param {{seat: string, taken: boolean, mine: boolean}} seat
 * @param {() => void} again
 */
export function openSeat(table, player, seat, again) {
  if (seat.taken) return seat.mine ? mine(table, player, again) : taken(table, player, again);
  return free(table, player, again);
}

/** @param {any} table @param {string} seat */
const path = (table, seat) => `/api/tables/${table.table}/seats/${seat}`;

/** @param {any} table @param {any} player @param {() => void} again */
function free(table, player, again) {
  const body = h("div", { class: "stack" });
  const here = async () => {
    close();
    if (await attempt(() => call("POST", `${path(table, player.seat)}/take`))) {
      takeBack(table.table, player.seat);
      await loadMe();
    }
    again();
  };
  const close = sheet(
    player.name,
    [
      body,
      h("button", { class: "wide", onclick: here }, t("join.no_phone")),
      h("p", { class: "soft" }, t("join.no_phone.means")),
      h("button", { class: "wide", id: "at-screen", onclick: () => (close(), chooseScreen(table, player, again)) }, t("join.screen")),
      h("p", { class: "soft" }, t("join.screen.means")),
    ],
    { close: t("ui.close"), onclose: again },
  );
  code(body, table, player);
}

/** Which table screen plays for a seat: told apart by the signs that they show. @param {any} table @param {any} player @param {() => void} again */
async function chooseScreen(table, player, again) {
  const screens = (await attempt(() => call("GET", `/api/tables/${table.table}/screens`))) ?? [];
  const seat = async (/** @type {string} */ sign) => {
    close();
    const asked = await attempt(() => call("POST", `${path(table, player.seat)}/screen`, { sign }).then(() => true));
    if (asked) await seated(table, player.seat);
    again();
  };
  const signs = screens.map((/** @type {{sign: string}} */ { sign }) => h("button", { class: "wide sign", onclick: () => seat(sign) }, sign));
  const close = sheet(
    t("join.screen"),
    [h("p", {}, t(signs.length ? "join.screen.which" : "join.screen.none", { player: player.name, address: `${shared.me.address}/screen` })), ...signs],
    { close: t("ui.close"), onclose: again },
  );
}

/** Wait a moment until the screen has taken its seat. @param {any} table @param {string} seat */
async function seated(table, seat) {
  for (let look = 0; look < 10; look++) {
    const seats = await call("GET", `/api/tables/${table.table}/seats`);
    if (seats.some((/** @type {any} */ s) => s.seat === seat && s.taken)) return;
    await new Promise((done) => setTimeout(done, 200));
  }
}

/** @param {HTMLElement} body @param {any} table @param {any} player */
function code(body, table, player) {
  return showCode(body, `${path(table, player.seat)}/code`, (count) => `${t("join.scan")} ${t("join.scan_for", { player: player.name, count })}`);
}

/** Make a code and show it, for another device to scan. @param {HTMLElement} body @param {string} from @param {(minutes: number) => string} words */
export async function showCode(body, from, words) {
  const made = await attempt(() => call("POST", from));
  if (!made) return;
  const minutes = Math.max(1, Math.round((made.until * 1000 - Date.now()) / 60000));
  const image = h("div", { class: "qr", role: "img", "aria-label": t("join.scan") });
  image.append(picture(made.svg));
  put(
    body,
    h("p", {}, words(minutes)),
    image,
    h("p", { class: "code" }, made.address),
    h("p", { class: "soft" }, t("join.same_network")),
    h("button", { class: "wide", onclick: () => showCode(body, from, words) }, t("join.new_code")),
  );
}

/** @param {string} svg */
function picture(svg) {
  const read = new DOMParser().parseFromString(svg, "text/html").querySelector("svg");
  return document.importNode(/** @type {SVGElement} */ (read), true);
}

/** @param {any} table @param {any} player @param {() => void} again */
function taken(table, player, again) {
  const question = t("join.lost_phone.sure", { player: player.name });
  sure(question, t("join.lost_phone"), async () => {
    await attempt(() => call("DELETE", path(table, player.seat)));
    free(table, player, again);
  });
}

/** A seat of this very device. @param {any} table @param {any} player @param {() => void} again */
function mine(table, player, again) {
  const leave = () => {
    close();
    sure(t("join.leave_sure"), t("legal.forget"), async () => {
      await attempt(() => call("DELETE", path(table, player.seat)));
      takeBack(table.table, player.seat);
      await loadMe();
      again();
    });
  };
  const close = sheet(
    player.name,
    [
      seatLanguage(table.table, player.seat, t("settings.language"), () => (close(), again())),
      h("button", { class: "danger wide", onclick: leave }, t("legal.forget")),
    ],
    { close: t("ui.close") },
  );
}

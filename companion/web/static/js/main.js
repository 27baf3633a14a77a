// @ts-check
/** Starts the page that the address names. */
import { call, Refused } from "./api.js";
import { loadLanguage, loadMe, shared, t } from "./context.js";
import { h, put, toast } from "./dom.js";
import { takeBack } from "./pages/given.js";
import { dress } from "./prefs.js";

const page = /** @type {HTMLElement} */ (document.getElementById("page"));

/** Every page is a module of its own, loaded when it is wanted. @type {Record<string, () => Promise<any>>} */
const PAGES = {
  play: () => import("./pages/play.js"),
  host: () => import("./pages/host.js"),
  kept: () => import("./pages/kept.js"),
  tour: () => import("./pages/tour.js"),
  camera: () => import("./pages/camera.js"),
};

/** @param {string} name @param {...any} given */
async function show(name, ...given) {
  const module = await PAGES[name]();
  await module.open(page, ...given);
}

/** A code in the address is used at once and taken out of the address and the history. */
function takeCode() {
  const code = location.hash.slice(1).replace(/^host=/, "");
  if (code) history.replaceState(null, "", location.pathname);
  return code;
}

/** @param {string} code */
async function join(code) {
  const place = await call("POST", "/api/join", { code });
  takeBack(place.table, place.seat);
  history.replaceState(null, "", `/table/${place.table}`);
  await loadMe();
  await show("play", place.table, place.seat);
}

/** This phone is only the camera from now on. @param {string} code */
async function becomeCamera(code) {
  await call("POST", "/api/camera/join", { code });
  await loadMe();
  await show("camera");
}

/** @param {string} code */
async function becomeHost(code) {
  try {
    await call("POST", "/api/host", { code });
    await loadMe();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // The printed code is for the first who scans it; everybody else watches.
    toast(t("join.watching"));
  }
}

function home() {
  const { seats, tables, host } = shared.me;
  const mine = seats.at(-1);
  if (mine) return show("play", mine.table, mine.seat);
  // A game that is under way comes first, for the host as well: their own page is a tap away.
  if (tables.length) return show("play", tables.at(-1).table, null);
  if (host) return show("host");
  return nothing();
}

function nothing() {
  put(
    page,
    h(
      "section",
      { class: "middle stack" },
      h("h1", {}, "Santorini"),
      h("p", {}, t("join.no_table")),
      h("a", { class: "button", href: "/host" }, t("join.become_host")),
      h("a", { class: "button", href: "/tour" }, t("tour.title")),
    ),
  );
  setTimeout(() => ["/", "/screen"].includes(location.pathname) && start(), 4000);
}

async function start() {
  await loadMe();
  const [, first, second] = location.pathname.split("/");
  const code = takeCode();
  if (first === "join" && code) return join(code);
  if (first === "camera" && code) return becomeCamera(code);
  if ((first === "" || first === "host") && code) await becomeHost(code);
  if (first === "table") return show("play", second, undefined);
  const newest = second ?? shared.me.tables.at(-1)?.table;
  if (first === "screen") return newest ? show("play", newest, null, "screen") : nothing();
  if (first in PAGES && first !== "play") return show(first);
  return home();
}

/** @param {unknown} error */
function failed(error) {
  const text = error instanceof Refused ? error.text : { key: "error.unknown" };
  const alone = error instanceof Refused && error.status === 0;
  put(
    page,
    h(
      "section",
      { class: "middle stack" },
      h("h1", {}, "Santorini"),
      h("p", { role: "alert" }, t(text)),
      h("button", { class: "main", onclick: () => location.reload() }, t("ui.retry")),
      !alone && h("a", { class: "button", href: "/" }, t("ui.back")),
    ),
  );
  if (!(error instanceof Refused)) console.error(error);
}

// A code that is pasted into the address of an open page counts as well.
addEventListener("hashchange", () => location.hash && location.reload());
dress();
loadLanguage().then(start).catch(failed);

// @ts-check
/** What every page of this phone shares: its texts and what the server says it is. */
import { call } from "./api.js";
import { prefs } from "./prefs.js";
import { Texts } from "./texts.js";

/** @typedef {{host: boolean, host_known: boolean, seats: {table: string, seat: string, language: string | null}[], looks: string[], tables: any[],
 *   camera: boolean, keeps_pictures: boolean, secure_address: string | null, address: string}} Me */

export const shared = {
  /** @type {Texts} */
  texts: new Texts({ language: "en", texts: {} }),
  /** @type {Me} */
  me: { host: false, host_known: false, seats: [], looks: [], tables: [], camera: false, keeps_pictures: false, secure_address: null, address: "" },
};

/** What was loaded so far: one phone may speak several languages, each to its own seat. @type {Map<string, Texts>} */
const loaded = new Map();
/** @type {Map<string, Texts>} */
const cards = new Map();

/** Load the texts of a language, without speaking it yet. @param {string} language */
export async function prepare(language) {
  if (!loaded.has(language)) loaded.set(language, new Texts(await call("GET", `/texts/first/${language}.json`)));
}

/** Speak a language that was prepared. @param {string} language */
export function speak(language) {
  shared.texts = loaded.get(language) ?? shared.texts;
  document.documentElement.lang = shared.texts.language;
}

/** Speak this phone's own language, or another. @param {string} [language] */
export async function loadLanguage(language = prefs.language) {
  await prepare(language);
  speak(language);
}

/** The cards come later: they are large and only read when somebody taps one. */
export async function loadCards() {
  const { language } = shared.texts;
  const found = cards.get(language) ?? new Texts(await call("GET", `/texts/cards/${language}.json`));
  cards.set(language, found);
  return found;
}

/** The language of a seat at a table: its own, or this phone's. @param {string} table @param {string | null} seat */
export function languageOf(table, seat) {
  return shared.me.seats.find((held) => held.table === table && held.seat === seat)?.language ?? prefs.language;
}

export async function loadMe() {
  shared.me = await call("GET", "/api/me");
  return shared.me;
}

/**
 * Say a text in this phone's language; ids among the facts become names.
 * @param {string | import("./texts.js").Text} text @param {Record<string, any>} [facts] @returns {string}
 */
export function t(text, facts = {}) {
  const key = typeof text === "string" ? text : text.key;
  const given = typeof text === "string" ? facts : { ...(text.facts ?? {}), ...facts };
  const named = Object.fromEntries(Object.entries(given).map(([name, fact]) => [name, known(name, fact)]));
  return shared.texts.say(key, /** @type {any} */ (named));
}

/** @param {string} name @param {any} fact */
function known(name, fact) {
  if (typeof fact !== "string") return fact;
  const key = { power: `power.${fact}.name`, other: `power.${fact}.name` }[name] ??
    { direction: `term.direction.${fact.toLowerCase()}`, token: `term.${fact}` }[name];
  return key && shared.texts.has(key) ? { key } : fact;
}

/** What a camera's state is called. @param {string} says */
export function cameraWords(says) {
  return t(`camera.${says === "busy" ? "moving" : says}`);
}

/** The name of a power, or of having none. @param {string | null} power */
export function powerName(power) {
  return power ? t(`power.${power}.name`) : t("ui.no_power");
}

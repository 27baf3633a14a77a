// @ts-check
/** What every page of this phone shares: its texts and what the server says it is. */
import { call } from "./api.js";
import { prefs } from "./prefs.js";
import { Texts } from "./texts.js";

/** @typedef {{host: boolean, host_known: boolean, seats: {table: string, seat: string}[], tables: any[],
 *   camera: boolean, keeps_pictures: boolean, secure_address: string | null, address: string}} Me */

export const shared = {
  /** @type {Texts} */
  texts: new Texts({ language: "en", texts: {} }),
  /** @type {Texts | null} */
  cards: null,
  /** @type {Me} */
  me: { host: false, host_known: false, seats: [], tables: [], camera: false, keeps_pictures: false, secure_address: null, address: "" },
};

/** Load the texts of the language that was chosen. */
export async function loadLanguage() {
  shared.texts = new Texts(await call("GET", `/texts/first/${prefs.language}.json`));
  shared.cards = null;
}

/** The cards come later: they are large and only read when somebody taps one. */
export async function loadCards() {
  shared.cards ??= new Texts(await call("GET", `/texts/cards/${prefs.language}.json`));
  return shared.cards;
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

/** The name of a power, or of having none. @param {string | null} power */
export function powerName(power) {
  return power ? t(`power.${power}.name`) : t("ui.no_power");
}

// @ts-check
/** What this phone remembers for itself: its language, that of its table screen, looks, sounds. Never a secret. */

/** @typedef {{language: string, screen: string, theme: "auto" | "dark" | "light", look: "flat" | "iso", turn: number,
 *   sounds: boolean, buzz: boolean, toured: boolean}} Prefs */

const KEY = "santorini.prefs";
export const LANGUAGES = /** @type {const} */ ({ en: "English", fr: "Français", it: "Italiano", pl: "Polski", ru: "Русский" });

/** @returns {string} the first language of the browser that we have */
function spoken() {
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2));
  return wanted.find((code) => code in LANGUAGES) ?? "en";
}

/** @returns {Prefs} */
function read() {
  /** @type {Prefs} */
  const start = { language: spoken(), screen: "", theme: "auto", look: "flat", turn: 0, sounds: false, buzz: false, toured: false };
  try {
    return { ...start, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return start;
  }
}

export const prefs = read();

/** Keep a change and apply it. @param {Partial<Prefs>} change */
export function prefer(change) {
  Object.assign(prefs, change);
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs));
  } catch {
    // A private window may refuse; the choice then lasts as long as the page.
  }
  dress();
}

/** Show the theme on the page itself. */
export function dress() {
  const light = matchMedia("(prefers-color-scheme: light)").matches;
  document.documentElement.dataset.theme = prefs.theme === "auto" ? (light ? "light" : "dark") : prefs.theme;
}

matchMedia("(prefers-color-scheme: light)").addEventListener("change", dress);

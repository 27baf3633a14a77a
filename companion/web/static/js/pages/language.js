// @ts-check
/** Choosing languages: every seat has its own, kept with the game; so have this phone and its table screen. */
import { call } from "../api.js";
import { loadLanguage, loadMe, shared, t } from "../context.js";
import { h } from "../dom.js";
import { LANGUAGES, prefer, prefs } from "../prefs.js";

/** @param {string} label @param {string} now @param {(code: string) => void} pick */
function choice(label, now, pick) {
  const all = Object.entries(LANGUAGES).map(([code, name]) => h("option", { value: code, selected: code === now, lang: code }, name));
  const field = h("select", { onchange: () => pick(field.value) }, all);
  return h("label", { class: "row" }, h("span", { class: "grow" }, label), field);
}

/** @param {string} table @param {string} seat @param {string} language */
async function keep(table, seat, language) {
  await call("PUT", `/api/tables/${table}/seats/${seat}/language`, { language });
}

/** This phone's own language; its seats that spoke the same go along. @param {string} language */
async function change(language) {
  const same = shared.me.seats.filter((held) => held.language === prefs.language);
  prefer({ language });
  await Promise.all(same.map((held) => keep(held.table, held.seat, language)));
}

/** The language of one seat. @param {string} table @param {string} seat @param {string} label @param {() => void} done */
export function seatLanguage(table, seat, label, done) {
  const now = shared.me.seats.find((held) => held.table === table && held.seat === seat)?.language ?? prefs.language;
  return choice(label, now, async (code) => {
    await keep(table, seat, code);
    await loadMe();
    done();
  });
}

/** What the settings offer: on a page that plays seats theirs, else the page's own. @param {any} play @param {() => void} done @returns {any[]} */
export function languageChoices(play, done) {
  const label = t("settings.language");
  if (play?.screen) return [choice(label, play.language(null), (code) => (prefer({ screen: code }), done()))];
  if (play?.mine.length > 1) {
    return play.mine.map((/** @type {string} */ seat) => seatLanguage(play.table, seat, `${label}: ${play.name(seat)}`, done));
  }
  if (!play?.seat) return [choice(label, prefs.language, (code) => change(code).then(() => loadLanguage()).then(done))];
  // A phone with one seat speaks the language of that seat everywhere.
  const both = async (/** @type {string} */ code) => {
    await change(code);
    await keep(play.table, play.seat, code);
    await loadMe();
    done();
  };
  return [choice(label, play.language(play.seat), both)];
}

// @ts-check
/** The card of a power in our own words, one tap away. */
import { loadCards, powerName, t } from "../context.js";
import { h, sheet } from "../dom.js";

/** @param {any} player */
export async function showCard(player) {
  sheet(`${player.name || player.seat}: ${powerName(player.power)}`, await cardBody(player.power), { close: t("ui.close") });
}

/** @param {string | null} power */
export async function cardBody(power) {
  if (!power) return [h("p", {}, t("rule.turn")), h("p", {}, t("rule.move")), h("p", {}, t("rule.build")), h("p", {}, t("rule.win"))];
  const cards = await loadCards();
  const title = `power.${power}.title`;
  const lines = cards.say(`card.${power}`).split(/\n+/);
  return [
    cards.has(title) && h("p", { class: "soft" }, cards.say(title)),
    ...lines.filter((line) => line.trim()).map((line) => h("p", {}, ...keyword(line))),
  ];
}

/** The moment a line speaks of stands out. @param {string} line */
function keyword(line) {
  const found = /^([^:.]{3,40}): (.*)$/s.exec(line);
  return found ? [h("strong", {}, `${found[1]}: `), found[2]] : [line];
}

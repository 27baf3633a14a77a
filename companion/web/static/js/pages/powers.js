// @ts-check
/** Choosing a power: a list that can be searched, the card one tap away, and why one does not fit. */
import { powerName, t } from "../context.js";
import { h, put, sheet } from "../dom.js";
import { cardBody } from "./cards.js";

const KINDS = ["simple", "advanced", "golden_fleece", "hero"];

/** @param {any[]} powers @param {(power: string) => void} picked @param {string} [title] */
export function pickPower(powers, picked, title = t("setup.powers")) {
  const list = h("div", { class: "choices" });
  const search = h("input", { type: "search", "aria-label": t("setup.powers.search"), placeholder: t("setup.powers.search") });
  const fold = (/** @type {string} */ text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const draw = () => {
    const found = powers.filter((power) => fold(powerName(power.id)).includes(fold(search.value)));
    put(list, ...KINDS.flatMap((kind) => group(kind, found.filter((p) => p.kind === kind), take)));
  };
  const take = (/** @type {string} */ power) => (close(), picked(power));
  search.addEventListener("input", draw);
  const close = sheet(title, [search, list], { close: t("ui.cancel"), kind: "tall" });
  draw();
}

/** @param {string} kind @param {any[]} powers @param {(power: string) => void} take */
function group(kind, powers, take) {
  if (!powers.length) return [];
  return [h("h3", {}, t(`term.kind.${kind}`)), ...powers.map((power) => line(power, take))];
}

/** @param {any} power @param {(power: string) => void} take */
function line(power, take) {
  const name = powerName(power.id);
  const button = h("button", { class: "grow", disabled: Boolean(power.why), onclick: () => take(power.id) }, name, power.why && h("small", { class: "why" }, power.why));
  const read = h("button", { class: "round", "aria-label": `${t("term.card")}: ${name}`, onclick: () => show(power, name) }, "?");
  return h("div", { class: "row" }, button, read);
}

/** @param {any} power @param {string} name */
async function show(power, name) {
  sheet(name, await cardBody(power.id), { close: t("ui.close") });
}

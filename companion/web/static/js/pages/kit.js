// @ts-check
/** The wizard's second step: which pieces, in which colours, on which mat, through which lens. */
import { shared, t } from "../context.js";
import { h } from "../dom.js";

/** @param {import("./wizard.js").Wizard} wizard @returns {import("./wizard.js").Part} */
export function kitPart(wizard) {
  const { state, choices } = wizard;
  const kit = { ...state.kit, colours: { ...state.colours } };
  const pieces = choices.pieces.map((/** @type {string} */ name) => [name, named("wizard.kit.pieces", name)]);
  const mats = choices.mats.map((/** @type {string} */ name) => [name, t(`wizard.kit.mat.${name}`)]);
  const lenses = [["", t("wizard.kit.lens.none")], ...choices.lenses.map((/** @type {string} */ name) => [name, name])];
  const sheet = h("a", { class: "button wide", download: "santorini-mat.pdf" }, t("wizard.mat"));
  const point = () => {
    sheet.hidden = kit.mat === "none";
    sheet.href = `/api/mat/${kit.mat}.pdf`;
  };
  point();
  return {
    body: [
      pick(t("wizard.kit.pieces"), "kit-pieces", pieces, kit.pieces, (v) => (kit.pieces = v)),
      ...Object.keys(state.colours).map((side) =>
        pick(t("wizard.kit.colour", { player: wizard.nameOf(side) }), `kit-colour-${side}`, colours(choices.colours), kit.colours[side], (v) => (kit.colours[side] = v)),
      ),
      pick(t("wizard.kit.mat"), "kit-mat", mats, kit.mat, (v) => ((kit.mat = v), point())),
      h("p", { class: "soft" }, t("wizard.mat.means")),
      sheet,
      h("details", {}, h("summary", {}, t("wizard.kit.lens")), pick(t("wizard.kit.lens"), "kit-lens", lenses, kit.lens ?? "", (v) => (kit.lens = v || null)), h("p", { class: "soft" }, t("wizard.kit.lens.means"))),
    ],
    buttons: [wizard.button("ui.next", () => wizard.ask("PUT", "/kit", kit, "empty"), "main")],
  };
}

/** What is shipped has a name in words; an own file is called as its owner called it. @param {string} family @param {string} name */
function named(family, name) {
  const key = `${family}.${name.replaceAll("-", "_")}`;
  return shared.texts.has(key) ? t(key) : name;
}

/** @param {string[]} names @returns {string[][]} */
function colours(names) {
  return names.map((name) => [name, t(`ui.colour.${name}`)]);
}

/** @param {string} label @param {string} id @param {string[][]} options @param {string} now @param {(value: string) => void} change */
function pick(label, id, options, now, change) {
  const all = options.map(([value, name]) => h("option", { value, selected: value === now }, name));
  const select = h("select", { id, onchange: () => change(select.value) }, all);
  return h("div", { class: "stack" }, h("label", { for: id }, label), select);
}

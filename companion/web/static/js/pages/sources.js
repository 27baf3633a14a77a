// @ts-check
/** The wizard's first step: which camera. */
import { call } from "../api.js";
import { t } from "../context.js";
import { h, put } from "../dom.js";
import { attempt } from "./host.js";

/** @param {import("./wizard.js").Wizard} wizard @returns {import("./wizard.js").Part} */
export function sourcePart(wizard) {
  const list = h("div", { class: "choices" });
  const field = h("input", { type: "text", id: "camera-address", class: "grow", placeholder: "http://… rtsp://…", autocomplete: "off", autocapitalize: "none", spellcheck: "false", inputmode: "url" });
  const use = (/** @type {string} */ source) => wizard.ask("POST", "", { source }, null).then(() => wizard.state.source && !wizard.state.verdict && wizard.go("kit"));
  const typed = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (field.value.trim()) use(field.value.trim());
  };
  attempt(() => call("GET", "/api/cameras")).then((found) => put(list, ...(found ?? []).map((/** @type {any} */ c) => choice(c, c.id === wizard.state.source, () => use(c.id)))));
  return {
    body: [
      h("p", {}, t("wizard.aim.means")),
      list,
      h("form", { class: "stack", onsubmit: typed }, h("label", { for: "camera-address" }, t("wizard.source.address")), h("div", { class: "row" }, field, h("button", { type: "submit" }, t("ui.ok")))),
      h("p", { class: "soft" }, t("wizard.source.means")),
    ],
    buttons: wizard.state.source ? [h("button", { class: "main", onclick: () => wizard.go("kit") }, t("ui.next"))] : [],
  };
}

/** @param {{id: string, kind: string}} camera @param {boolean} now @param {() => void} use */
function choice(camera, now, use) {
  const name = camera.kind === "phone" ? t("wizard.source.phone") : `${t(`wizard.source.${camera.kind}`)}: ${camera.id}`;
  return h("button", { class: `wide ${now ? "now-on" : ""}`, "aria-pressed": String(now), onclick: use }, name);
}

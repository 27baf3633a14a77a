// @ts-check
/** A ticket for a seat's own device: shown on the seat's own phone and nowhere else. */
import { call } from "../api.js";
import { t } from "../context.js";
import { h, put, sheet } from "../dom.js";
import { attempt } from "./host.js";

/** @param {any} play */
export async function openDevice(play) {
  const path = `/api/tables/${play.table}`;
  const offered = await attempt(() => call("GET", `${path}/devices`));
  if (!offered) return;
  const paper = h("div", { class: "stack", role: "status" });
  const make = async () => {
    const ticket = await attempt(() => call("POST", `${path}/seats/${play.seat}/device`));
    if (ticket) put(paper, written(ticket));
  };
  const body = offered.on
    ? [h("button", { class: "main wide", id: "make-ticket", onclick: make }, t("settings.device.make")), paper]
    : [h("p", { class: "hint" }, t("settings.device.off"))];
  sheet(t("settings.device"), [h("p", { class: "soft" }, t("settings.device.means")), ...body], { close: t("ui.close") });
}

/** To be copied; the page keeps nothing. @param {any} ticket */
function written(ticket) {
  const area = h("textarea", { readonly: true, rows: 10, id: "ticket", "aria-label": t("settings.device"), onfocus: () => area.select() });
  area.value = JSON.stringify(ticket, null, 1);
  return area;
}

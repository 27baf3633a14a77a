// @ts-check
/** For the host: the phone that is only the camera of a table, its code, and taking it off. */
import { call } from "../api.js";
import { shared, t } from "../context.js";
import { h, put, sheet } from "../dom.js";
import { attempt } from "./host.js";
import { sure } from "./menu.js";
import { showCode } from "./seats.js";

const LOOK = 1000;

/** Who the camera is, or how a phone becomes it. @param {string} path the camera's */
export function cameraPhone(path) {
  const box = h("section", { class: "stack", id: "camera-phone" });
  fill(box, path);
  return box;
}

/** @param {HTMLElement} box @param {string} path */
async function fill(box, path) {
  const found = await attempt(() => call("GET", `${path}/phone`));
  if (found) put(box, ...(found.taken ? there(box, path) : none(box, path)));
}

/** @param {HTMLElement} box @param {string} path */
function there(box, path) {
  const off = async () => {
    await attempt(() => call("DELETE", `${path}/phone`));
    fill(box, path);
  };
  return [h("p", { class: "good" }, t("wizard.phone.there")), h("button", { class: "wide", onclick: () => sure(t("wizard.phone.off.sure"), t("wizard.phone.off"), off) }, t("wizard.phone.off"))];
}

/** Live over https, one photo at a time without. @param {HTMLElement} box @param {string} path */
function none(box, path) {
  const address = `${shared.me.secure_address ?? shared.me.address}/camera`;
  return [
    h("button", { class: "wide", onclick: () => invite(box, path) }, t("wizard.phone.only")),
    h("p", { class: "soft" }, t("wizard.phone.only.means")),
    h("p", {}, t("wizard.phone.means"), " ", h("a", { class: "code", href: "/camera" }, address)),
  ];
}

/** Show a code until a phone has scanned it. @param {HTMLElement} box @param {string} path */
function invite(box, path) {
  const body = h("div", { class: "stack" });
  let shown = true;
  const ended = () => {
    shown = false;
    fill(box, path);
  };
  const close = sheet(t("wizard.phone.only"), [body], { close: t("ui.close"), onclose: ended });
  const look = async () => {
    if (!shown) return;
    const found = await call("GET", `${path}/phone`).catch(() => null);
    if (found?.taken) close();
    else setTimeout(look, LOOK);
  };
  showCode(body, `${path}/phone`, () => t("wizard.phone.scan"));
  look();
}

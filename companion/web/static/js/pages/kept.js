// @ts-check
/** What is kept, and what is not. */
import { shared, t } from "../context.js";
import { h, put } from "../dom.js";

const LINES = ["network", "games", "cookie", "secrets", "unofficial"];

/** @param {HTMLElement} page */
export async function open(page) {
  put(
    page,
    h(
      "article",
      { class: "paper" },
      h("header", {}, h("a", { class: "button round", href: "/", "aria-label": t("ui.back") }, "‹"), h("h1", {}, t("legal.title"))),
      h("p", {}, t(shared.me.keeps_pictures ? "legal.debug" : "legal.camera")),
      LINES.map((line) => h("p", {}, t(`legal.${line}`))),
      h("h2", {}, t("hidden.proof.title")),
      h("p", {}, t("hidden.proof.means")),
      h("h2", {}, t("join.https")),
      h("p", {}, t("join.https.means")),
      shared.me.secure_address && h("p", {}, h("a", { href: shared.me.secure_address }, shared.me.secure_address)),
      shared.me.secure_address && h("p", {}, h("a", { href: "/authority.crt", download: "santorini.crt" }, "santorini.crt")),
    ),
  );
}

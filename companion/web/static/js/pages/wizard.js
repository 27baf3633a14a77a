// @ts-check
/** Setting the camera up: choose it, take the empty board, drag four corners, see the verdict. Every step can wait. */
import { call } from "../api.js";
import { t } from "../context.js";
import { h, put } from "../dom.js";
import { CornerMarks } from "./corners.js";
import { attempt } from "./host.js";

const STEPS = ["source", "empty", "corners", "tableau", "placed", "done"];
const BEAT = 700;

/** @param {HTMLElement} root @param {any} table @param {() => void} back */
export async function openWizard(root, table, back) {
  const wizard = new Wizard(root, table, back);
  await wizard.start();
}

class Wizard {
  /** @param {HTMLElement} root @param {any} table @param {() => void} back */
  constructor(root, table, back) {
    this.root = root;
    this.path = `/api/tables/${table.table}/camera`;
    this.back = () => (this.stop(), back());
    this.image = h("img", { class: "picture", alt: t("camera.picture") });
    this.marks = new CornerMarks(this.image);
    this.overlay = false;
    this.timer = 0;
    this.url = "";
    /** @type {any} */
    this.state = null;
  }

  async start() {
    this.state = await call("GET", this.path);
    this.draw();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = -1;
    URL.revokeObjectURL(this.url);
  }

  /** Show the newest picture, then the next; never two at a time. */
  async watch() {
    clearTimeout(this.timer);
    if (this.timer < 0 || !this.state.source) return;
    try {
      const answer = await fetch(`${this.path}/picture?overlay=${this.overlay}`);
      if (answer.ok) this.show(await answer.blob());
    } catch {
      // The next beat tries again.
    }
    if (this.timer >= 0) this.timer = setTimeout(() => this.watch(), BEAT);
  }

  /** @param {Blob} picture */
  show(picture) {
    const old = this.url;
    this.url = URL.createObjectURL(picture);
    this.image.src = this.url;
    URL.revokeObjectURL(old);
  }

  /** @param {string} method @param {string} path @param {unknown} [body] */
  async ask(method, path, body) {
    const state = await attempt(() => call(method, this.path + path, body));
    if (state) this.state = state;
    this.draw();
  }

  draw() {
    const { state } = this;
    const step = state.source ? state.step : "source";
    this.overlay = Boolean(state.verdict);
    /** @type {Record<string, () => any[]>} */
    const parts = { source: () => this.sources(), empty: () => this.empty(), corners: () => this.corners(), tableau: () => this.pieces("tableau"), placed: () => this.pieces("placed"), done: () => this.verdict() };
    put(
      this.root,
      h("header", {}, h("button", { class: "round", "aria-label": t("ui.back"), onclick: this.back }, "‹"), h("h1", {}, t("wizard.title"))),
      h("p", { class: "soft" }, t("wizard.step", { number: STEPS.indexOf(step) + 1, total: STEPS.length })),
      state.source && h("div", { class: "frame" }, this.image, step === "corners" && this.marks.element),
      ...parts[step](),
      state.verdict && step !== "done" && this.figures(),
      state.source && h("button", { class: "wide", onclick: () => this.ask("POST", "", { source: state.source }) }, t("wizard.again")),
      state.source && h("button", { class: "wide danger", onclick: () => this.drop() }, t("sync.without_camera")),
      h("button", { class: "wide plain", onclick: this.back }, t("wizard.later")),
    );
    this.watch();
  }

  async drop() {
    await attempt(() => call("DELETE", this.path));
    await this.start();
  }

  sources() {
    const list = h("div", { class: "choices" });
    const address = h("input", { type: "text", id: "camera-address", class: "grow", placeholder: "http://…/video", autocomplete: "off", inputmode: "url" });
    const use = (/** @type {string} */ source) => this.ask("POST", "", { source });
    attempt(() => call("GET", "/api/cameras")).then((found) =>
      put(list, ...(found ?? []).map((/** @type {any} */ c) => h("button", { class: "wide", onclick: () => use(c.id) }, c.kind === "phone" ? t("wizard.source.phone") : `${t(`wizard.source.${c.kind}`)}: ${c.id}`))),
    );
    return [
      h("h2", {}, t("wizard.source")),
      h("p", {}, t("wizard.aim.means")),
      list,
      h("label", { for: "camera-address" }, t("wizard.source.address")),
      h("div", { class: "row" }, address, h("button", { onclick: () => address.value && use(address.value) }, t("ui.ok"))),
      h("p", {}, h("a", { href: "/api/mat/a4.pdf", download: "santorini-mat.pdf" }, t("wizard.mat")), " ", t("wizard.mat.means")),
    ];
  }

  empty() {
    const phone = this.state.source === "phone";
    return [
      h("h2", {}, t("wizard.empty")),
      phone && h("p", {}, t("wizard.source.phone"), ": ", h("a", { href: "/camera" }, t("camera.phone.title"))),
      h("p", {}, t("wizard.empty.means")),
      h("button", { class: "main wide", onclick: () => this.ask("POST", "/take", { step: "empty" }) }, t("ui.next")),
    ];
  }

  corners() {
    return [
      h("h2", {}, t("wizard.corners")),
      h("p", {}, t("wizard.corners.means")),
      h("p", { class: "soft" }, t("wizard.corner_keys")),
      h("button", { class: "main wide", onclick: () => this.ask("POST", "/corners", { corners: this.marks.shares() }) }, t("wizard.check")),
    ];
  }

  /** @param {"tableau" | "placed"} step */
  pieces(step) {
    return [
      h("h2", {}, t(step === "tableau" ? "wizard.pieces" : "wizard.colours")),
      h("p", {}, t(step === "tableau" ? "wizard.tableau.means" : "wizard.placed.means")),
      h("button", { class: "main wide", onclick: () => this.ask("POST", "/take", { step }) }, t("ui.next")),
      h("button", { class: "wide", onclick: () => this.ask("POST", "/skip", { step }) }, t("ui.skip")),
    ];
  }

  verdict() {
    return [
      this.state.watching && h("h2", { role: "status" }, t("wizard.done")),
      this.figures(),
      !this.state.watching && h("button", { class: "main wide", onclick: () => this.ask("POST", "/keep") }, t("wizard.keep")),
    ];
  }

  figures() {
    const { verdict, problems, figures } = this.state;
    if (!verdict) return h("p", {}, t("wizard.corners.means"));
    const name = { good: "good", usable: "fair", poor: "poor" }[/** @type {"good"} */ (verdict)];
    return h(
      "section",
      { class: "box" },
      h("h2", { class: verdict === "poor" ? "bad" : "good" }, t(`wizard.verdict.${name}`)),
      verdict !== "good" && problems.length > 0 && h("ul", {}, problems.map((/** @type {any} */ p) => h("li", {}, t(p)))),
      h("p", { class: "soft" }, Object.entries(figures).map(([key, value]) => t("wizard.figure", { name: t(`wizard.figure.${key}`), value: `${value}` })).join(" · ")),
    );
  }
}


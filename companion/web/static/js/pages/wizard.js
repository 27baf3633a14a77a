// @ts-check
/** Setting the camera up, step by step; every step can be left out, taken again, and left for later. */
import { call } from "../api.js";
import { t } from "../context.js";
import { announce, h, put } from "../dom.js";
import { checking } from "./checking.js";
import { CornerMarks } from "./corners.js";
import { attempt } from "./host.js";
import { kitPart } from "./kit.js";
import { cameraPhone } from "./phonecamera.js";
import { Picture } from "./picture.js";
import { sourcePart } from "./sources.js";

const STEPS = ["source", "kit", "empty", "corners", "tableau", "placed", "done"];
/** @type {Record<string, string>} */
const TITLES = { source: "wizard.source", kit: "wizard.kit", empty: "wizard.empty", corners: "wizard.corners", tableau: "wizard.pieces", placed: "wizard.colours", done: "wizard.verdict" };

/** @param {HTMLElement} root @param {any} table @param {() => void} back */
export async function openWizard(root, table, back) {
  await dressed();
  const wizard = new Wizard(root, table, back);
  await wizard.start();
}

/** The wizard's looks come with it: nobody else's first view waits for them. @returns {Promise<void>} */
function dressed() {
  if (document.querySelector("link[href*=wizard]")) return Promise.resolve();
  return new Promise((done) => document.head.append(h("link", { rel: "stylesheet", href: "/static/css/wizard.css", onload: () => done(), onerror: () => done() })));
}

/** @typedef {{title?: string, body: any[], buttons: any[], picture?: string, over?: any}} Part */

export class Wizard {
  /** @param {HTMLElement} root @param {any} table @param {() => void} back */
  constructor(root, table, back) {
    this.root = h("div", { class: "paper wizard" });
    put(root, this.root);
    root.classList.remove("paper");
    this.table = table;
    this.path = `/api/tables/${table.table}/camera`;
    this.back = () => (this.picture.stop(), root.classList.add("paper"), back());
    this.picture = new Picture(this.path);
    this.marks = new CornerMarks(this.picture.image);
    /** @type {any} */
    this.state = null;
    /** @type {string | null} the step that the host went to, or the next one to do */
    this.at = null;
    this.busy = false;
  }

  async start() {
    const [state, choices] = await Promise.all([call("GET", this.path), call("GET", "/api/cameras/kit")]);
    this.state = state;
    this.choices = choices;
    this.draw();
  }

  /** The step that is shown. @returns {string} */
  get step() {
    return this.state.source ? (this.at ?? this.state.step) : "source";
  }

  /** Which steps can be gone to now. @param {string} step */
  open(step) {
    const { source, taken, verdict } = this.state;
    if (step === "source" || !source) return step === "source";
    if (step === "kit" || step === "empty") return true;
    if (step === "corners") return taken;
    return Boolean(verdict) && (taken || step === "done");
  }

  /** @param {string | null} step */
  go(step) {
    this.at = step;
    this.draw();
    this.title.focus();
  }

  /** Do something on the server; then comes the step it names, or the one wanted. @param {string} method @param {string} path @param {unknown} [body] @param {string | null} [then] */
  async ask(method, path, body, then = null) {
    if (this.busy) return;
    this.wait(true);
    const state = await attempt(() => call(method, this.path + path, body));
    this.wait(false);
    if (!state) return;
    this.state = state;
    this.go(then);
  }

  /** A picture may take a second to be worked on. @param {boolean} busy */
  wait(busy) {
    this.busy = busy;
    this.root.setAttribute("aria-busy", String(busy));
    for (const button of this.root.querySelectorAll(".tray button")) /** @type {HTMLButtonElement} */ (button).disabled = busy;
    if (busy) announce(t("ui.loading"));
  }

  draw() {
    const { state, step } = this;
    const part = this.part(step);
    this.title = h("h2", { tabindex: "-1" }, part.title ?? t(TITLES[step]));
    const shown = state.source && part.picture;
    put(
      this.root,
      h("header", {}, h("button", { class: "round", "aria-label": t("ui.back"), onclick: this.back }, "‹"), h("h1", {}, t("wizard.title"))),
      state.source !== "sim" && this.path_(),
      this.title,
      h(
        "div",
        { class: "sides" },
        shown && h("div", { class: `frame ${part.over ? "" : "fit"} ${part.picture}` }, this.picture.image, part.over, this.picture.note),
        h("div", { class: "stack" }, part.body),
      ),
      h("button", { class: "wide plain", onclick: this.back }, t("wizard.later")),
      h("div", { class: "tray" }, part.buttons),
    );
    if (shown) this.picture.show(/** @type {string} */ (part.picture));
    else this.picture.stop();
  }

  /** The way through the steps: where one is, and what can be taken again. */
  path_() {
    const dots = STEPS.map((step, i) => {
      const now = step === this.step;
      const words = `${t("wizard.step", { number: i + 1, total: STEPS.length })}: ${t(TITLES[step])}`;
      return h("button", { class: `dot ${now ? "now-on" : ""}`, "aria-label": words, "aria-current": now && "step", disabled: !this.open(step), onclick: () => this.go(step) }, String(i + 1));
    });
    return h("nav", { class: "dots", "aria-label": t("wizard.steps") }, dots);
  }

  /** @param {string} step @returns {Part} */
  part(step) {
    if (this.state.source === "sim") return this.lent();
    if (this.state.check?.step === step) return checking(this);
    /** @type {Record<string, () => Part>} */
    const parts = { source: () => sourcePart(this), kit: () => kitPart(this), empty: () => this.empty(), corners: () => this.corners(), tableau: () => this.tableau(), placed: () => this.placed(), done: () => this.verdict() };
    return parts[step]();
  }

  /** The practice table brings its camera along. @returns {Part} */
  lent() {
    return { title: t("wizard.source.simulated"), body: [h("p", {}, t("wizard.lent"))], buttons: [h("button", { class: "main", onclick: this.back }, t("ui.back"))], picture: "seen" };
  }

  /** @returns {Part} */
  empty() {
    return {
      body: [
        this.phone(),
        h("p", {}, t("wizard.empty.means")),
        h("p", { class: "soft" }, t("wizard.aim.means")),
      ],
      buttons: [this.button("wizard.take", () => this.ask("POST", "/take", { step: "empty" }), "main")],
      picture: "live",
    };
  }

  /** Which phone is the camera, where one is. */
  phone() {
    return this.state.source === "phone" && cameraPhone(this.path);
  }

  /** @returns {Part} */
  corners() {
    this.marks.begin(this.state.corners);
    const found = this.state.tags >= 2;
    return {
      body: [
        found && h("p", { class: "good" }, t("wizard.mat.found")),
        h("p", {}, t("wizard.corners.means")),
        h("p", { class: "soft" }, t("wizard.corner_keys")),
      ],
      buttons: [
        this.button("wizard.retake", () => this.go("empty")),
        this.button("wizard.check", () => this.ask("POST", "/corners", { corners: this.marks.shares() }), "main"),
      ],
      picture: "empty",
      over: this.marks.element,
    };
  }

  /** @returns {Part} */
  tableau() {
    return {
      body: [h("p", {}, t("wizard.tableau.means")), this.whose(), h("p", { class: "soft" }, t("wizard.plan.means"))],
      buttons: [this.skip("tableau"), this.button("wizard.take", () => this.ask("POST", "/take", { step: "tableau" }, "tableau"), "main")],
      picture: "plan",
    };
  }

  /** @returns {Part} */
  placed() {
    return {
      body: [h("p", {}, t("wizard.placed.means")), this.whose()],
      buttons: [this.skip("placed"), this.button("wizard.take", () => this.ask("POST", "/take", { step: "placed" }, "placed"), "main")],
      picture: "live",
    };
  }

  /** Which colour is whose. */
  whose() {
    const sides = Object.entries(this.state.colours).map(([side, colour]) => h("li", { class: "row" }, h("span", { class: `swatch c-${colour}` }), `${this.nameOf(side)}: ${t(`ui.colour.${colour}`)}`));
    return h("div", { class: "stack" }, h("ul", { class: "plainlist" }, sides), this.alike());
  }

  /** Workers that were seen and can hardly be told apart. */
  alike() {
    const close = this.state.problems.filter((/** @type {any} */ p) => p.key === "wizard.colours.close");
    return close.map((/** @type {any} */ p) => h("p", { class: "bad" }, t(p)));
  }

  /** Partners share their workers. @param {string} side */
  nameOf(side) {
    return this.table.players.filter((/** @type {any} */ p) => (p.team ?? p.seat) === side).map((/** @type {any} */ p) => p.name).join(" + ");
  }

  /** @param {string} step */
  skip(step) {
    return this.button("ui.skip", () => this.ask("POST", "/skip", { step }, step === "tableau" ? "placed" : "done"));
  }

  /** @param {string} key @param {() => void} act @param {string} [kind] */
  button(key, act, kind = "") {
    return h("button", { class: kind, disabled: this.busy, onclick: act }, t(key));
  }

  /** @returns {Part} */
  verdict() {
    const { watching } = this.state;
    const keep = this.button("wizard.keep", () => this.ask("POST", "/keep", undefined, "done"), "main");
    return {
      title: t(watching ? "wizard.done" : "wizard.verdict"),
      body: [
        h("p", {}, t(watching ? "wizard.seen.means" : "wizard.grid.means")),
        this.figures(),
        this.phone(),
        this.state.may_measure && h("button", { class: "wide", onclick: () => this.ask("POST", "/measure", undefined, "done") }, t("wizard.measure")),
        h("button", { class: "wide danger", onclick: () => this.drop() }, t("sync.without_camera")),
      ],
      buttons: [this.button("wizard.again", () => this.go("empty")), watching ? this.button("ui.done", this.back, "main") : keep],
      picture: "seen",
    };
  }

  async drop() {
    await attempt(() => call("DELETE", this.path));
    this.at = null;
    await this.start();
  }

  figures() {
    const { verdict, problems, figures } = this.state;
    const name = { good: "good", usable: "fair", poor: "poor" }[/** @type {"good"} */ (verdict)];
    const told = Object.entries(figures).map(([key, value]) => t("wizard.figure", { name: t(`wizard.figure.${key}`), value: `${value}` }));
    return h(
      "section",
      { class: `box ${verdict === "poor" ? "sync" : "end"}` },
      h("p", { class: verdict === "poor" ? "bad" : "good" }, h("strong", {}, t(`wizard.verdict.${name}`))),
      problems.length > 0 && h("ul", {}, problems.map((/** @type {any} */ p) => h("li", {}, t(p)))),
      h("details", {}, h("summary", {}, t("wizard.figures")), h("ul", {}, told.map((line) => h("li", {}, line)))),
    );
  }
}

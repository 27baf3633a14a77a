// @ts-check
/** A new game: how many, who, which powers, which edition and options; the engine checks every choice. */
import { call } from "../api.js";
import { powerName, t } from "../context.js";
import { h, put } from "../dom.js";
import { chip } from "../shapes.js";
import { attempt } from "./host.js";
import { pickPower } from "./powers.js";

const COLOURS = ["blue", "grey", "white", "tan", "purple", "pink"];
const FLAGS = ["revised_powers", "strict_supply", "placement_sets_turn_order", "allow_banned"];
const MODES = ["none", "choose", "draft", "random"];

/** @param {HTMLElement} root @param {() => void} back */
export async function openNewGame(root, back) {
  const powers = await call("GET", "/api/powers");
  const form = new NewGame(root, powers, back);
  form.draw();
}

class NewGame {
  /** @param {HTMLElement} root @param {any[]} powers @param {() => void} back */
  constructor(root, powers, back) {
    this.root = root;
    this.powers = powers;
    this.back = back;
    this.count = 2;
    this.names = ["", "", "", ""];
    this.colours = ["blue", "white", "grey", "tan"];
    /** @type {(string | null)[]} */
    this.chosen = [null, null, null, null];
    this.mode = "none";
    this.edition = "roxley2016";
    this.fleece = false;
    /** @type {string | null} */
    this.ram = null;
    /** @type {Record<string, boolean | string>} */
    this.options = {};
    this.starts = 0;
    this.challenger = 0;
    /** @type {string[]} */
    this.pool = [];
    /** @type {any} */
    this.verdict = null;
  }

  /** The game as the server wants it, the start player first. */
  body() {
    const order = Array.from({ length: this.count }, (_, i) => (this.starts + i) % this.count);
    const players = order.map((i) => ({
      name: this.name(i),
      colour: this.colours[this.count === 4 ? i % 2 : i],
      power: this.fleece || this.mode === "none" ? null : this.chosen[i],
    }));
    return { players, edition: this.edition, options: this.options, golden_fleece: this.fleece ? this.ram : null };
  }

  /** @param {number} i */
  name(i) {
    return this.names[i].trim() || t("ui.player_number", { number: i + 1 });
  }

  complete() {
    if (this.fleece) return Boolean(this.ram);
    return this.mode === "none" || this.chosen.slice(0, this.count).every(Boolean);
  }

  async draw() {
    const focus = /** @type {HTMLElement | null} */ (document.activeElement)?.id;
    put(
      this.root,
      h("header", {}, h("button", { class: "round", "aria-label": t("ui.back"), onclick: this.back }, "‹"), h("h1", {}, t("setup.title"))),
      this.radios("count", t("setup.how_many"), [2, 3, 4].map((n) => [String(n), t(`setup.${["two", "three", "four"][n - 2]}`)]), String(this.count), (v) => this.setCount(Number(v))),
      this.people(),
      this.radios("edition", t("setup.edition"), ["roxley2016", "spinmaster2017"].map((e) => [e, t(`setup.edition.${e}`)]), this.edition, (v) => (this.edition = v)),
      this.count === 2 && this.edition === "roxley2016" &&
        this.radios("variant", t("setup.variant"), [["normal", t("setup.variant.normal")], ["fleece", t("setup.variant.golden_fleece")]], this.fleece ? "fleece" : "normal", (v) => (this.fleece = v === "fleece")),
      this.powerPart(),
      this.optionPart(),
      h("div", { class: "tray" }, this.goButton()),
    );
    if (focus) document.getElementById(focus)?.focus();
    await this.check();
  }

  /** @param {number} count */
  setCount(count) {
    this.count = count;
    this.starts = Math.min(this.starts, count - 1);
    this.challenger = Math.min(this.challenger, count - 1);
    if (count !== 2) this.fleece = false;
  }

  /** @param {string} group @param {string} title @param {string[][]} options @param {string} now @param {(value: string) => void} pick */
  radios(group, title, options, now, pick) {
    const all = options.map(([value, label]) =>
      h("label", { class: "row" }, h("input", { type: "radio", name: group, id: `${group}-${value}`, checked: value === now, onchange: () => (pick(value), this.draw()) }), label),
    );
    return h("fieldset", {}, h("legend", {}, title), all);
  }

  people() {
    const rows = Array.from({ length: this.count }, (_, i) => this.person(i));
    const start = h(
      "label",
      { class: "row" },
      h("span", { class: "grow" }, t("setup.start_player")),
      h("select", { id: "starts", onchange: (/** @type {any} */ e) => ((this.starts = Number(e.target.value)), this.draw()) }, rows.map((_, i) => h("option", { value: i, selected: i === this.starts }, this.name(i)))),
    );
    const random = h("button", { class: "plain", onclick: () => ((this.starts = Math.floor(Math.random() * this.count)), this.draw()) }, t("setup.start_random"));
    return h("section", {}, h("h2", {}, t("ui.players")), rows, start, random);
  }

  /** @param {number} i */
  person(i) {
    const seat = "ABCD"[i];
    const partner = this.count === 4 && i > 1;
    const colour = this.colours[partner ? i - 2 : i];
    const name = h("input", { class: "grow", id: `name-${i}`, maxlength: 24, value: this.names[i], placeholder: this.name(i), "aria-label": `${t("setup.name")} ${i + 1}`, autocomplete: "off" });
    name.addEventListener("input", () => (this.names[i] = name.value));
    const free = COLOURS.filter((c) => c === colour || !this.colours.slice(0, this.count).includes(c));
    const pick = h("select", { id: `colour-${i}`, "aria-label": `${t("setup.colour")} ${i + 1}`, onchange: () => ((this.colours[i] = pick.value), this.draw()) }, free.map((c) => h("option", { value: c, selected: c === colour }, t(`ui.colour.${c}`))));
    return h("div", { class: "row" }, chip({ seat: partner ? "ABCD"[i - 2] : seat, colour }), name, !partner && pick);
  }

  powerPart() {
    if (this.fleece) {
      const choose = () => pickPower(this.fits((p) => p.golden_fleece), (power) => ((this.ram = power), this.draw()));
      return h("section", {}, h("h2", {}, t("term.golden_fleece")), h("button", { class: "wide", id: "ram", onclick: choose }, this.ram ? powerName(this.ram) : t("setup.powers")));
    }
    const modes = this.radios("mode", t("setup.powers"), MODES.map((m) => [m, t(`setup.powers.${m}`)]), this.mode, (v) => this.setMode(v));
    return h("section", {}, modes, this.mode === "draft" && this.draft(), this.mode !== "none" && this.mode !== "draft" && this.choices(), this.mode === "random" && h("button", { class: "wide", id: "shuffle", onclick: () => this.shuffle() }, t("setup.powers.shuffle")));
  }

  /** @param {string} mode */
  setMode(mode) {
    this.mode = mode;
    this.chosen = [null, null, null, null];
    this.pool = [];
    if (mode === "random") this.shuffle();
  }

  async shuffle() {
    const wish = { players: this.count, edition: this.edition, options: this.options, seed: Math.floor(Math.random() * 2 ** 31) };
    const drawn = await attempt(() => call("POST", "/api/lineup/draw", wish));
    if (drawn) drawn.powers.forEach((/** @type {string} */ power, /** @type {number} */ i) => (this.chosen[i] = power));
    await this.draw();
  }

  /** Powers with a reason where one does not fit. @param {(power: any) => boolean} [also] @param {(string | null)[]} [others] */
  fits(also = () => true, others = []) {
    return this.powers.filter(also).map((power) => ({ ...power, why: this.whyNot(power, others) }));
  }

  /** @param {any} power @param {(string | null)[]} others @returns {string | null} */
  whyNot(power, others) {
    if (!power.editions.includes(this.edition)) return t("reason.edition.power", { power: power.id });
    if (!this.fleece && !power.player_counts.includes(this.count)) return t("reason.players.power", { power: power.id, players: this.count });
    if (others.includes(power.id)) return t("reason.banned.same", { power: power.id });
    const against = this.options.allow_banned ? [] : power.banned.filter((/** @type {string} */ b) => others.includes(b));
    return against.length ? t("reason.banned.pair", { power: power.id, other: against[0] }) : null;
  }

  choices() {
    return h(
      "div",
      { class: "choices" },
      Array.from({ length: this.count }, (_, i) => {
        const others = this.chosen.filter((power, j) => power && this.opposes(i, j));
        const choose = () => pickPower(this.fits(undefined, others), (power) => ((this.chosen[i] = power), this.draw()), t("setup.powers.pick", { player: this.name(i) }));
        const label = this.chosen[i] ? powerName(this.chosen[i]) : t("setup.powers.pick", { player: this.name(i) });
        return h("button", { class: "wide", id: `power-${i}`, onclick: choose }, `${this.name(i)}: ${label}`);
      }),
    );
  }

  /** @param {number} i @param {number} j */
  opposes(i, j) {
    return i !== j && !(this.count === 4 && i % 2 === j % 2);
  }

  /** The challenger chooses as many powers as there are players; the others take theirs, the challenger the last. */
  draft() {
    const challenger = h(
      "label",
      { class: "row" },
      h("span", { class: "grow" }, t("setup.challenger")),
      h("select", { id: "challenger", onchange: (/** @type {any} */ e) => ((this.challenger = Number(e.target.value)), this.setMode("draft"), this.draw()) }, Array.from({ length: this.count }, (_, i) => h("option", { value: i, selected: i === this.challenger }, this.name(i)))),
    );
    return h("div", { class: "choices" }, challenger, this.pool.length < this.count ? this.drafting() : this.taking());
  }

  drafting() {
    const title = t("setup.powers.pick", { player: this.name(this.challenger) });
    const choose = () => pickPower(this.fits(undefined, this.pool), (power) => (this.pool.push(power), this.draw()), title);
    return h("div", { class: "choices" }, h("p", {}, this.pool.map(powerName).join(", ")), h("button", { class: "wide", id: "draft", onclick: choose }, `${title} (${this.pool.length + 1}/${this.count})`));
  }

  taking() {
    const order = Array.from({ length: this.count }, (_, i) => (this.challenger + 1 + i) % this.count);
    const left = this.pool.filter((power) => !this.chosen.includes(power));
    const next = order.find((i) => !this.chosen[i]);
    if (next !== undefined && left.length === 1) this.chosen[next] = left[0];
    const taken = order.filter((i) => this.chosen[i]).map((i) => h("p", {}, `${this.name(i)}: ${powerName(this.chosen[i])}`));
    const take = (/** @type {string} */ power) => ((this.chosen[/** @type {number} */ (next)] = power), this.draw());
    if (left.length < 2 || next === undefined) return h("div", {}, taken);
    return h("div", { class: "choices" }, taken, h("p", {}, t("setup.powers.pick", { player: this.name(next) })), left.map((power) => h("button", { class: "wide", onclick: () => take(power) }, t("setup.powers.take", { power }))));
  }

  optionPart() {
    const flags = FLAGS.map((flag) => {
      const box = h("input", { type: "checkbox", id: `option-${flag}`, checked: this.options[flag] === true, onchange: () => this.option(flag, box.checked) });
      return h("label", { class: "row" }, box, h("span", { class: "grow" }, t(`setup.option.${flag}`)));
    });
    const check = h("select", { id: "hecate-check", onchange: () => this.option("hecate_check", check.value) }, ["turn", "action"].map((v) => h("option", { value: v, selected: this.options.hecate_check === v }, t(`setup.option.hecate_check.${v}`))));
    return h("details", {}, h("summary", {}, t("setup.options")), flags, h("label", { class: "row" }, h("span", { class: "grow" }, t("setup.option.hecate_check")), check));
  }

  /** @param {string} name @param {boolean | string} value */
  option(name, value) {
    this.options[name] = value;
    if (value === false) delete this.options[name];
    this.check();
  }

  goButton() {
    this.said = h("p", { class: "bad grow", role: "status" });
    this.button = h("button", { class: "main", id: "go", disabled: true, onclick: () => this.go() }, t("setup.go"));
    return h("div", { class: "grow stack" }, this.said, this.button);
  }

  async check() {
    const verdict = this.complete() ? await attempt(() => call("POST", "/api/lineup/check", this.body())) : { ok: false, why: null };
    this.button.disabled = !verdict?.ok;
    this.said.textContent = verdict?.why ? t(verdict.why) : "";
  }

  async go() {
    const opened = await attempt(() => call("POST", "/api/tables", this.body()));
    if (opened) this.back();
  }
}

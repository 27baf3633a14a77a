// @ts-check
/** The table as one phone sees it: watch, play by taps, answer, put back. */
import { call, Refused } from "../api.js";
import { Board } from "../board.js";
import { cameraWords, languageOf, loadMe, powerName, prepare, shared, speak, t } from "../context.js";
import { announce, h, put, sheet, toast } from "../dom.js";
import { Keys } from "../keys.js";
import { Line } from "../line.js";
import { prefs } from "../prefs.js";
import { nameOf, playerOf, spaceInWords, stepInWords, touchedBy } from "../say.js";
import { chip } from "../shapes.js";
import { keepAwake, nudge } from "../senses.js";
import { Taps } from "../taps.js";
import { showCard } from "./cards.js";
import { giveAgain, playedHere } from "./given.js";
import { handOver } from "./handover.js";
import { openMenu } from "./menu.js";
import { headline, LONG, panels, putBackMarks } from "./panels.js";
import { invited, shownSeat } from "./screen.js";
import { covered, hasSecret, hidesWorkers, secretSpaces, Veil } from "./veil.js";
import { askWhoseTurn } from "./whose.js";

const LIT = ["legal", "explain", "threats"];

/** @param {HTMLElement} page @param {string} table @param {string | null | undefined} seat @param {string} [kind] */
export async function open(page, table, seat, kind = "phone") {
  const play = new Play(page, table, kind);
  await play.prepare();
  play.watch(seat === null || (seat && play.mine.includes(seat)) ? seat : (play.mine[0] ?? null));
}

export class Play {
  /** @param {HTMLElement} page @param {string} table @param {string} kind */
  constructor(page, table, kind) {
    this.table = table;
    this.kind = kind;
    this.screen = kind === "screen";
    this.mine = this.held();
    /** @type {string | null} */
    this.seat = null;
    /** @type {any} */
    this.view = null;
    this.taps = new Taps();
    /** @type {Map<string, {height: number, top: string}> | null} */
    this.edits = null;
    this.showMaybe = false;
    this.busy = false;
    this.lent = "";
    this.drawn = new Map();
    this.keys = new Keys();
    this.veil = new Veil(() => (this.taps.reset(), this.render()));
    /** @type {string[] | null} spaces of a secret that is entered again */
    this.entering = null;
    this.line = new Line({
      onview: (view) => this.show(view),
      ontold: (message) => this.told(message),
      onstep: (inStep) => this.lock(!inStep),
      onout: (key) => this.out(key),
      ongone: (text) => this.gone(page, text),
    });
    this.build(page);
    keepAwake();
  }

  /** @param {HTMLElement} page */
  build(page) {
    this.board = new Board({ label: t("ui.board"), ontap: (cell) => this.tap(cell) });
    this.now = h("h1", { class: "now" });
    this.players = h("div", { class: "players" });
    this.panel = h("div", { class: "panel" });
    this.tray = h("div", { class: "tray" });
    this.light = h("span", { class: "eye", role: "img" });
    this.menu = h("button", { class: "plain round", onclick: () => openMenu(this) }, "☰");
    const head = h("header", { class: "top" }, this.menu, this.now, this.light);
    const side = h("div", { class: "side" }, this.players, this.panel);
    this.root = h("div", { class: `play ${this.kind}` }, head, h("div", { class: "stage" }, this.board.element, side), this.tray);
    put(page, this.root);
  }

  /** @param {string | null} seat */
  watch(seat) {
    this.seat = seat;
    this.speak(seat);
    this.taps.offer([]);
    this.line.watch(this.table, seat, this.screen);
  }

  /** The seats that are played on this page. @returns {string[]} */
  held() {
    return playedHere(this.kind, this.table, shared.me.seats.filter((s) => s.table === this.table).map((s) => s.seat));
  }

  /** The language that a seat is spoken to in; the table screen has its own, for everybody. @param {string | null} seat */
  language(seat) {
    return this.screen ? prefs.screen || prefs.language : languageOf(this.table, seat);
  }

  /** Have the texts of all seats at hand: the phone changes hands without waiting. */
  async prepare() {
    await Promise.all([null, ...this.mine].map((seat) => prepare(this.language(seat))));
  }

  /** @param {string | null} seat */
  speak(seat) {
    speak(this.language(seat));
  }

  /** @param {boolean} locked */
  lock(locked) {
    document.body.classList.toggle("locked", locked);
    this.root.classList.toggle("waiting", locked);
    clearTimeout(this.lateness);
    if (!locked) return this.root.querySelector(".lost")?.remove();
    // A short blink is not worth a word.
    this.lateness = setTimeout(() => {
      if (!this.root.querySelector(".lost")) this.root.prepend(h("p", { class: "lost", role: "status" }, t("ui.reconnecting")));
    }, 700);
  }

  /** @param {any} message */
  told(message) {
    if (message.told) toast(t(message.told));
    if (message.seats) this.seated();
    if (message.invited) invited(this, message.invited);
    if (message.moved) this.move(message.moved);
  }

  /** Somebody sat down or left: it may have been one of this device's own seats. */
  async seated() {
    await loadMe();
    this.mine = this.held();
    await this.prepare();
    const lost = this.seat !== null && !this.mine.includes(this.seat);
    if (this.view && !lost) this.show(this.view);
  }

  /** A rematch: take all seats of this device and go there. @param {{table: string, seats: {was: string, seat: string, code: string}[]}} to */
  async move({ table, seats }) {
    giveAgain(this.table, table, seats);
    for (const { code } of seats) {
      // Another page of this device may have been faster.
      await call("POST", "/api/join", { code }).catch((error) => error instanceof Refused || Promise.reject(error));
    }
    location.assign(this.screen ? `/screen/${table}` : `/table/${table}`);
  }

  /** This phone no longer holds the seat: it may still watch. @param {string} key */
  async out(key) {
    toast(t(key));
    await loadMe();
    this.mine = this.held();
    this.watch(this.screen ? null : (this.mine[0] ?? null));
  }

  /** The game was deleted: say so and lead on. @param {HTMLElement} page @param {{key: string, facts?: any}} text */
  gone(page, text) {
    document.querySelector(".handover")?.remove();
    document.body.classList.remove("locked");
    page.hidden = false;
    put(page, h("section", { class: "middle stack" }, h("h1", {}, "Santorini"), h("p", { role: "alert" }, t(text)), h("a", { class: "button", href: "/" }, t("ui.back"))));
  }

  // what is shown

  /** @param {any} view */
  show(view) {
    const before = this.view;
    this.view = view;
    const open = view.phase !== "over" && !view.paused && this.seat !== null;
    this.prompt = open && view.prompt?.seat === this.seat ? view.prompt : null;
    this.taps.offer(this.prompt?.steps ?? (this.screen && view.phase !== "over" ? view.prompt?.steps : null) ?? []);
    this.keys.remember(view);
    this.keys.serve(view, (command) => this.line.do(command)).then(() => this.keys.lost && this.render());
    if (this.screen) {
      const next = shownSeat(this);
      if (next !== this.seat) return this.watch(next);
    } else if (handOver(this)) return;
    if (before && before.to_move !== view.to_move && view.to_move === this.seat) nudge();
    this.render();
  }

  render() {
    const view = this.view;
    if (!view) return;
    const mover = playerOf(view, view.to_move);
    const words = headline(view);
    this.now.classList.toggle("long", words.length > LONG);
    this.redraw(this.now, [mover, words, Boolean(this.prompt)], () => [
      mover && chip(mover),
      h("span", {}, mover?.seat === this.seat && this.prompt && h("small", {}, this.screen ? t("ui.screen_now", { player: mover.name }) : t("ui.your_turn")), words),
    ]);
    announce(words);
    this.menu.setAttribute("aria-label", t("ui.menu"));
    this.board?.keys.setAttribute("aria-label", t("ui.board"));
    this.root.classList.toggle("mine", Boolean(this.prompt));
    this.root.dataset.seq = view.seq;
    this.root.dataset.seat = this.seat ?? "";
    this.redraw(this.players, [view.players, view.to_move, this.seat, this.mine], () => this.playerButtons());
    this.redraw(this.panel, [view, this.mine, this.line.sign, this.showMaybe, Boolean(this.edits), this.keys.lost, this.entering, this.veil.open], () => panels(this));
    this.redraw(this.tray, [this.prompt, view.may_undo, view.waiting_for_key, this.taps.touched, Boolean(this.edits), hasSecret(view)], () => this.buttons());
    const camera = cameraWords(view.camera);
    this.light.className = `eye see-${view.camera}`;
    this.light.setAttribute("aria-label", camera);
    this.light.title = camera;
    this.drawBoard();
  }

  /** Rebuild a part only when what it shows has changed, so that focus stays. @param {HTMLElement} node @param {any} of @param {() => any[]} build */
  redraw(node, of, build) {
    const key = JSON.stringify([shared.texts.language, of]);
    if (this.drawn.get(node) === key) return;
    this.drawn.set(node, key);
    put(node, ...build());
  }

  playerButtons() {
    return this.view.players.map((/** @type {any} */ player) => {
      const now = player.seat === this.view.to_move;
      const mine = !this.screen && player.seat === this.seat;
      return h(
        "button",
        { class: `player ${now ? "now-on" : ""} ${player.out ? "out" : ""}`, onclick: () => showCard(player) },
        chip(player),
        h("span", { class: "grow" }, h("strong", {}, mine ? t("ui.name_you", { player: player.name }) : player.name), h("small", {}, powerName(player.power))),
      );
    });
  }

  drawBoard() {
    const view = this.view;
    // The table screen lights the spaces of whoever moves, if that seat wants them lit.
    const screen = this.screen && Boolean(view.prompt);
    const level = screen ? playerOf(view, view.to_move)?.hint_level : view.hints.level;
    const edits = this.edits;
    const shut = this.shut();
    const cells = edits ? view.board.map((/** @type {any} */ c) => this.edited(c)) : this.veil.open ? view.board : covered(view);
    const lit = !edits && !shut && (this.prompt || screen) && LIT.includes(level) ? this.taps.lit() : new Set();
    const last = shut ? "" : view.turn.length ? view.turn.join(" ") : (view.history.at(-1)?.turn ?? "");
    const maybe = this.showMaybe && view.hints.possible ? view.hints.possible.cells : [];
    const marks = putBackMarks(view);
    const asked = new Set((view.question?.choices ?? []).flatMap((/** @type {any} */ c) => c.cells));
    this.board?.render({
      cells,
      players: view.players,
      lit: asked.size ? asked : lit,
      chosen: new Set(edits ? edits.keys() : (this.entering ?? (shut ? [] : this.taps.touched))),
      fresh: marks.warn.size ? new Set() : touchedBy(last),
      maybe: this.veil.open ? secretSpaces(view) : new Set(maybe),
      say: (cell) => spaceInWords(view, cell, lit.has(cell.cell) || asked.has(cell.cell)),
      ...marks,
    });
  }

  /** With hidden pieces even the lit spaces tell something: they wait for the open map. */
  shut() {
    return hidesWorkers(this.view) && !this.veil.open && this.view.phase !== "over";
  }

  /** @param {any} cell */
  edited(cell) {
    const edit = this.edits?.get(cell.cell);
    if (!edit) return cell;
    const seat = edit.top && edit.top !== "dome" ? edit.top[0] : null;
    const worker = seat ? { id: edit.top, seat, sex: null } : null;
    return { ...cell, height: edit.height, dome: edit.top === "dome", worker };
  }

  /** The buttons under the thumb. */
  buttons() {
    if (this.edits) {
      return [
        h("button", { onclick: () => this.stopEditing(false) }, t("ui.cancel")),
        h("button", { class: "main", onclick: () => this.stopEditing(true) }, t("ui.done")),
      ];
    }
    const loose = this.taps.loose().map((step) => h("button", { onclick: () => this.take(step) }, stepInWords(step.step)));
    const asleep = this.view.waiting_for_key.length > 0;
    const undo = this.seat && this.view.may_undo && this.view.phase !== "over" && !asleep;
    return [
      hasSecret(this.view) && this.view.phase !== "over" && this.veil.button(),
      undo && h("button", { class: "plain", onclick: () => this.send({ do: "undo", turns: this.view.turn.length ? 0 : 1 }) }, t("undo.title")),
      ...loose,
      this.prompt?.may_end && h("button", { class: "main", onclick: () => this.send({ do: "end" }) }, t("ui.end_turn")),
    ];
  }

  // what is done

  /** @param {string} cell */
  tap(cell) {
    if (!this.line.inStep || !this.view || this.busy) return;
    if (this.edits) return this.editSpace(cell);
    if (this.entering) return this.enter(cell);
    if (this.shut()) return toast(t("hidden.hold"));
    this.veil.touch();
    const answer = (this.view.question?.choices ?? []).find((/** @type {any} */ c) => c.cells.includes(cell));
    if (answer) return this.answer(answer.id);
    if (!this.seat) return this.why(cell, null);
    const tapped = this.taps.tap(cell);
    this.render();
    if (tapped.kind === "step") this.take(tapped.step);
    if (tapped.kind === "choose") this.choose(tapped.steps);
    if (tapped.kind === "why") this.why(cell, tapped.from);
  }

  /** @param {string} cell @param {string | null} origin */
  async why(cell, origin) {
    const space = this.view.board.find((/** @type {any} */ c) => c.cell === cell);
    if (!this.seat) return toast(spaceInWords(this.view, space, false));
    const reply = await this.line.do({ do: "why", cell, origin });
    toast(reply.key ? t(reply) : spaceInWords(this.view, space, false));
  }

  /** @param {import("../taps.js").Offered[]} steps */
  choose(steps) {
    const close = sheet(
      t("ui.choose"),
      steps.map((step) => h("button", { class: "wide", onclick: () => (close(), this.take(step)) }, stepInWords(step.step))),
      { close: t("ui.cancel"), onclose: () => (this.taps.reset(), this.render()) },
    );
  }

  /** @param {import("../taps.js").Offered} offered */
  async take(offered) {
    const plain = { end: { do: "end" }, pass: { do: "pass" } }[offered.step];
    await this.send(plain ?? { do: "step", step: offered.step });
  }

  /** Send a command; whatever the table says against it is shown. @param {Record<string, any>} command */
  async send(command) {
    if (this.busy) return false;
    this.occupy(true);
    try {
      return await this.sent(command);
    } finally {
      this.occupy(false);
    }
  }

  /** While a command is under way the next one would be about a board that is gone. @param {boolean} busy */
  occupy(busy) {
    this.busy = busy;
    this.root.classList.toggle("busy", busy);
  }

  /** @param {Record<string, any>} command */
  async sent(command) {
    let reply = await this.line.do(command);
    if (reply.key === "hidden.key_awaited" && !this.view.waiting_for_key.length) {
      // The first secret of this seat: the table needs a key to write it down with.
      await this.keys.bring(this.view, (key) => this.line.do(key));
      reply = await this.line.do(command);
    }
    if (reply.key) toast(t(reply), reply.ok ? "" : "refused");
    if (!reply.ok) this.taps.reset();
    // What was sent is answered before its board is here: the next tap is meant for that one.
    else if (reply.seq) await this.line.reached(reply.seq);
    this.render();
    return reply.ok;
  }

  /** @param {string} choice */
  answer(choice) {
    return this.send({ do: "answer", question: this.view.question.id, choice });
  }

  // setting the board by hand

  startEditing() {
    this.edits = new Map();
    this.render();
    toast(t("sync.edit.means"));
  }

  /** @param {boolean} keep */
  stopEditing(keep) {
    const cells = Object.fromEntries(this.edits ?? []);
    if (keep && Object.keys(cells).length) return askWhoseTurn(this, null, { do: "edit_board", cells });
    this.edits = null;
    this.render();
  }

  /** @param {string} cell */
  async editSpace(cell) {
    const { editSpace } = await import("./edit.js");
    editSpace(this, cell);
  }

  /** The secret is entered again, one space after the other. @param {string} cell */
  async enter(cell) {
    const { enterAgain } = await import("./again.js");
    await enterAgain(this, cell);
  }

  /** @param {string | null} seat */
  name(seat) {
    return nameOf(this.view, seat);
  }
}

// @ts-check
/** What needs attention now: a question, something to put back, a request, a board out of step, the end. */
import { Board } from "../board.js";
import { cameraWords, shared, t } from "../context.js";
import { h } from "../dom.js";
import { prefs } from "../prefs.js";
import { spaceInWords, turnInWords } from "../say.js";
import { endPanel } from "./end.js";
import { mayBreakIn } from "./handover.js";
import { screenPanels } from "./screen.js";
import { secretPanels } from "./sealed.js";
import { askWhoseTurn } from "./whose.js";

/** Marks on the board for what has to be put back. @param {any} view */
export function putBackMarks(view) {
  const items = view.notice?.put_back ?? [];
  const cells = items.flatMap((/** @type {any} */ i) => [i.origin, i.target]).filter(Boolean);
  const differences = (view.sync ?? []).map((/** @type {any} */ d) => d.cell);
  return {
    warn: new Set([...cells, ...differences]),
    arrows: items.filter((/** @type {any} */ i) => i.origin && i.target).map((/** @type {any} */ i) => ({ from: i.origin, to: i.target, what: i.kind })),
    off: items.filter((/** @type {any} */ i) => i.origin && !i.target).map((/** @type {any} */ i) => ({ what: i.kind, cell: i.origin })),
    on: items.filter((/** @type {any} */ i) => !i.origin && i.target).map((/** @type {any} */ i) => ({ what: i.kind, cell: i.target })),
  };
}

/** So many letters of a headline fit on a line of a phone. */
export const LONG = 28;

/** What is to be done next: nobody moves while pieces stand where they should not. @param {any} view */
export function headline(view) {
  if (view.sync) return t("sync.title");
  return t(view.notice?.put_back.length ? "put.title" : view.now);
}

/** What a camera may have that somebody at the table has to know: a coloured dot alone does not say it. */
const TROUBLE = ["moved", "soft", "size", "lost"];
/** What passes by itself, and what only the host can make better: told more quietly. */
const NEWS = ["light", "found_again"];

/** @param {any} view */
function cameraPanel(view) {
  const trouble = TROUBLE.includes(view.camera) || (view.camera === "covered" && !view.question);
  const news = NEWS.includes(view.camera) || (view.camera === "glare" && shared.me.host);
  return (trouble || news) && h("p", { class: `hint camera ${news ? "news" : ""}` }, cameraWords(view.camera));
}

/** @param {any} play */
export function panels(play) {
  const view = play.view;
  return [
    view.result && endPanel(play),
    cameraPanel(view),
    view.sync && !play.edits && syncPanel(play),
    view.notice && noticePanel(view.notice),
    view.question && questionPanel(play),
    ...secretPanels(play),
    view.undo && undoPanel(play),
    view.end_offered_by && !view.result && offerPanel(play),
    view.paused && pausedPanel(play),
    view.provisional && !view.question && h("p", { class: "hint provisional" }, t("phase.provisional")),
    view.now.key === "phase.confirm_secret" && h("p", { class: "hint provisional" }, t("undo.secret_warning")),
    ...threats(view),
    view.hints.possible && maybePanel(play),
    lastTurn(play),
    ...mayBreakIn(play),
    ...(play.screen ? screenPanels(play) : []),
    shared.me.host && !play.seat && !play.screen && h("a", { class: "button main", href: "/host" }, t("ui.host")),
    !prefs.toured && view.history.length < 3 && !play.screen && h("a", { class: "button", href: "/tour" }, t("tour.title")),
  ];
}

/** What was played last, while nothing else wants to be read. @param {any} play */
function lastTurn(play) {
  const { view } = play;
  const last = view.history.at(-1);
  if (!last || view.notice || view.sync || view.question || view.result) return null;
  // A hidden turn of one's own is not written out where others may look over the shoulder.
  const words = last.seat === play.seat && play.shut() ? publicWords(last.turn) : turnInWords(last.turn);
  return words && h("p", { class: "hint" }, `${play.name(last.seat)}: ${words}`);
}

/** Only what stands on the board. @param {string} turn */
function publicWords(turn) {
  return turnInWords(turn.split(" ").filter((step) => /[+^]/.test(step)).map((step) => step.replace(/^[A-D]\d/, "")).join(" "));
}

/** @param {string} kind @param {string} title @param {...any} body */
function box(kind, title, ...body) {
  return h("section", { class: `box ${kind}`, "aria-label": title }, h("h2", {}, title), ...body);
}

/** @param {any} play */
function questionPanel(play) {
  const { question } = play.view;
  const buttons = question.choices.map((/** @type {any} */ choice) =>
    h("button", { class: "wide", onclick: () => play.answer(choice.id) }, t(choice)),
  );
  return box("ask", t(question), h("div", { class: "choices" }, buttons));
}

/** @param {any} notice */
function noticePanel(notice) {
  const items = notice.put_back.map((/** @type {any} */ item) => h("li", {}, t(item)));
  return box(notice.kind, t(notice), items.length > 0 && h("ol", {}, items));
}

/** @param {any} play */
function undoPanel(play) {
  const { undo } = play.view;
  const turns = undo.turns ? play.view.history.slice(-undo.turns).map((/** @type {any} */ h) => h.turn) : play.view.turn;
  const boards = undo.boards ? [t("undo.board")] : [];
  const what = [...turns.map(turnInWords), ...boards].join("; ");
  const mayAnswer = play.seat && undo.answers[play.seat] === null;
  return box(
    "ask",
    t("undo.asked", { player: play.name(undo.asked_by), what }),
    mayAnswer &&
      h(
        "div",
        { class: "pair" },
        h("button", { onclick: () => play.send({ do: "undo_answer", yes: false }) }, t("undo.refuse")),
        h("button", { class: "main", onclick: () => play.send({ do: "undo_answer", yes: true }) }, t("undo.agree")),
      ),
  );
}

/** @param {any} play */
function offerPanel(play) {
  const by = play.view.end_offered_by;
  const mayAnswer = play.seat && play.seat !== by;
  return box(
    "ask",
    t("ui.agree_asked", { player: play.name(by) }),
    mayAnswer &&
      h(
        "div",
        { class: "pair" },
        h("button", { onclick: () => play.send({ do: "answer_end", yes: false }) }, t("ask.no")),
        h("button", { class: "main", onclick: () => play.send({ do: "answer_end", yes: true }) }, t("ask.yes")),
      ),
  );
}

/** @param {any} play */
function pausedPanel(play) {
  const may = play.seat || shared.me.host;
  return box("info", t("phase.paused"), may && h("button", { class: "main wide", onclick: () => play.send({ do: "resume" }) }, t("ui.resume")));
}

/** @param {any} view */
function threats(view) {
  return view.hints.threats.map((/** @type {any} */ threat) => h("p", { class: "hint threat" }, t(threat)));
}

/** @param {any} play */
function maybePanel(play) {
  const turn = () => ((play.showMaybe = !play.showMaybe), play.render());
  return h("button", { class: "wide", "aria-pressed": String(play.showMaybe), onclick: turn }, t("hidden.where"));
}

/** Camera board against known board. @param {any} play */
function syncPanel(play) {
  const { view } = play;
  const may = play.seat || shared.me.host;
  const seen = new Map(view.sync.map((/** @type {any} */ d) => [d.cell, d.camera]));
  const camera = view.board.map((/** @type {any} */ cell) => (seen.has(cell.cell) ? asSeen(cell, seen.get(cell.cell)) : cell));
  return box(
    "sync",
    t("sync.means"),
    h("div", { class: "pair" }, figure(view, camera, t("sync.seen")), figure(view, view.board, t("sync.known"))),
    may &&
      h(
        "div",
        { class: "choices" },
        h("button", { class: "wide main", onclick: () => play.send({ do: "restore" }) }, t("sync.restore")),
        h("button", { class: "wide", onclick: () => askWhoseTurn(play, view.sync_next, { do: "accept_board" }) }, t("sync.accept")),
        h("button", { class: "wide", onclick: () => play.startEditing() }, t("sync.edit")),
      ),
  );
}

/** @param {any} cell @param {any} seen */
function asSeen(cell, seen) {
  const seat = seen.top && seen.top !== "dome" ? seen.top[0] : null;
  return { ...cell, height: seen.height, dome: seen.top === "dome", worker: seat ? { id: `${seat}1`, seat, sex: null } : null };
}

/** @param {any} view @param {any[]} cells @param {string} title */
function figure(view, cells, title) {
  const board = new Board({ label: title, look: "flat", small: true });
  const warn = new Set(view.sync.map((/** @type {any} */ d) => d.cell));
  board.render({ cells, players: view.players, warn, say: (cell) => spaceInWords(view, cell, false) });
  board.keys.remove();
  const differences = view.sync.map((/** @type {any} */ d) => spaceInWords(view, cells.find((c) => c.cell === d.cell), false));
  return h("figure", {}, h("figcaption", {}, title), board.element, h("p", { class: "unseen" }, differences.join("; ")));
}

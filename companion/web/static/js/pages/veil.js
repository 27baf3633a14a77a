// @ts-check
/** The hidden map: seen while a finger rests on the button and a moment longer; never while the page is hidden. */
import { t } from "../context.js";
import { h } from "../dom.js";

const LINGER = 4000;

export class Veil {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    this.open = false;
    this.held = false;
    this.timer = 0;
    this.node = this.make();
    document.addEventListener("visibilitychange", () => document.visibilityState !== "visible" && this.cover());
    addEventListener("pagehide", () => this.cover());
    addEventListener("blur", () => this.cover());
  }

  /** Something was done on the open map: leave it open a moment longer. */
  touch() {
    if (!this.open) return;
    clearTimeout(this.timer);
    if (!this.held) this.timer = setTimeout(() => this.cover(), LINGER);
  }

  lift() {
    this.held = true;
    clearTimeout(this.timer);
    if (this.open) return;
    this.open = true;
    this.label();
    this.changed();
  }

  release() {
    if (!this.held) return;
    this.held = false;
    this.touch();
  }

  cover() {
    clearTimeout(this.timer);
    this.held = false;
    if (!this.open) return;
    this.open = false;
    this.label();
    this.changed();
  }

  /** Say on the button whether the map is open. */
  label() {
    this.node.textContent = this.open ? t("hidden.map") : t("hidden.hold");
    this.node.setAttribute("aria-pressed", String(this.open));
  }

  /** One button for as long as the page lives, so that a finger on it is never lost. */
  button() {
    this.label();
    return this.node;
  }

  make() {
    const button = h("button", { class: "wide veil" });
    button.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      button.setPointerCapture(event.pointerId);
      this.lift();
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture", "keyup", "blur"]) {
      button.addEventListener(end, () => this.release());
    }
    button.addEventListener("contextmenu", (/** @type {Event} */ event) => event.preventDefault());
    button.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      this.lift();
    });
    return button;
  }
}

/** Take what is hidden off a board. @param {any} view @returns {any[]} */
export function covered(view) {
  const hidden = new Set(Object.keys(view.secret?.workers ?? {}));
  return view.board.map((/** @type {any} */ cell) => (cell.worker && hidden.has(cell.worker.id) ? { ...cell, worker: null } : cell));
}

/** The spaces of a hidden square or space, to be marked on the open map. @param {any} view @returns {Set<string>} */
export function secretSpaces(view) {
  const { fate, abyss } = view.secret ?? {};
  if (abyss) return new Set([abyss]);
  return new Set(fate ? square(fate) : []);
}

/** The four spaces of a square, which is named by its first. @param {string} first */
export function square(first) {
  const [column, row] = ["abcde".indexOf(first[0]), Number(first[1])];
  return [0, 1].flatMap((c) => [0, 1].map((r) => "abcde"[column + c] + (row + r)));
}

/** Whether this seat's own pieces are hidden, so that even where it may move tells something. @param {any} view */
export function hidesWorkers(view) {
  return Object.keys(view.secret?.workers ?? {}).length > 0;
}

/** Whether there is anything of this seat's own to look at. @param {any} view */
export function hasSecret(view) {
  return Boolean(view.secret && (hidesWorkers(view) || view.secret.fate || view.secret.abyss));
}

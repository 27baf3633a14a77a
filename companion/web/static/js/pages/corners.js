// @ts-check
/** Four marks over a picture, moved by finger, mouse or arrow keys. */
import { t } from "../context.js";
import { h, s } from "../dom.js";

const NAMES = ["a1", "e1", "e5", "a5"];
const START = [
  [0.22, 0.8],
  [0.78, 0.8],
  [0.68, 0.25],
  [0.32, 0.25],
];

export class CornerMarks {
  /** @param {HTMLImageElement} image */
  constructor(image) {
    this.image = image;
    this.at = START.map((spot) => [...spot]);
    this.outline = s("polygon", { class: "outline" });
    const drawing = s("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" }, this.outline);
    this.buttons = NAMES.map((name, i) => this.button(name, i));
    this.element = h("div", { class: "corners" }, drawing, this.buttons);
    this.place();
  }

  /** Where the marks are, as shares of the picture. @returns {number[][]} */
  shares() {
    return this.at.map((spot) => [...spot]);
  }

  /** @param {string} name @param {number} i */
  button(name, i) {
    const button = h("button", { type: "button", class: "corner", "aria-label": t("wizard.corner", { space: name }) }, name);
    button.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      button.setPointerCapture(event.pointerId);
      event.preventDefault();
      button.focus();
    });
    button.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (!button.hasPointerCapture(event.pointerId)) return;
      const box = this.element.getBoundingClientRect();
      this.move(i, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
    });
    button.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!way) return;
      event.preventDefault();
      const far = event.shiftKey ? 0.02 : 0.002;
      this.move(i, this.at[i][0] + way[0] * far, this.at[i][1] + way[1] * far);
    });
    return button;
  }

  /** @param {number} i @param {number} x @param {number} y */
  move(i, x, y) {
    this.at[i] = [Math.min(1.05, Math.max(-0.05, x)), Math.min(1.05, Math.max(-0.05, y))];
    this.place();
  }

  place() {
    this.outline.setAttribute("points", this.at.map((spot) => spot.join(",")).join(" "));
    this.buttons.forEach((button, i) => {
      button.style.left = `${this.at[i][0] * 100}%`;
      button.style.top = `${this.at[i][1] * 100}%`;
    });
  }
}

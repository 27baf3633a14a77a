// @ts-check
/** Four marks over a picture, moved by finger, mouse or arrow keys; a lens shows what the finger covers. */
import { t } from "../context.js";
import { h, s } from "../dom.js";

const NAMES = ["a1", "e1", "e5", "a5"];
const START = [
  [0.22, 0.8],
  [0.78, 0.8],
  [0.68, 0.25],
  [0.32, 0.25],
];
const LARGER = 4;

export class CornerMarks {
  /** @param {HTMLImageElement} image */
  constructor(image) {
    this.image = image;
    this.at = START.map((spot) => [...spot]);
    this.moved = false;
    this.outline = s("polygon", { class: "outline" });
    const drawing = s("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" }, this.outline);
    this.buttons = NAMES.map((name, i) => this.button(name, i));
    this.lens = h("div", { class: "lens", "aria-hidden": "true", hidden: true });
    this.element = h("div", { class: "corners" }, drawing, this.buttons, this.lens);
    this.place();
  }

  /** Begin where the corners were found last, unless somebody has moved the marks. @param {number[][] | null} corners */
  begin(corners) {
    if (corners && !this.moved) this.at = corners.map((spot) => [...spot]);
    this.place();
  }

  /** Where the marks are, as shares of the picture. @returns {number[][]} */
  shares() {
    return this.at.map((spot) => [...spot]);
  }

  /** @param {string} name @param {number} i */
  button(name, i) {
    const button = h("button", { type: "button", class: "corner", "aria-label": t("wizard.corner", { space: name }) }, h("span", {}, name));
    let [dx, dy] = [0, 0];
    button.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      const [x, y] = this.under(event);
      // The mark keeps its distance to the finger: touching it does not move it.
      [dx, dy] = [this.at[i][0] - x, this.at[i][1] - y];
      button.setPointerCapture(event.pointerId);
      event.preventDefault();
      button.focus();
      this.look(i);
    });
    button.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (!button.hasPointerCapture(event.pointerId)) return;
      const [x, y] = this.under(event);
      this.move(i, x + dx, y + dy);
    });
    for (const end of ["pointerup", "pointercancel", "blur"]) button.addEventListener(end, () => (this.lens.hidden = true));
    button.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event, i));
    return button;
  }

  /** Where in the picture a finger is. @param {PointerEvent} event */
  under(event) {
    const box = this.element.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  }

  /** @param {KeyboardEvent} event @param {number} i */
  key(event, i) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way) return;
    event.preventDefault();
    const far = event.shiftKey ? 0.02 : 0.002;
    this.move(i, this.at[i][0] + way[0] * far, this.at[i][1] + way[1] * far);
  }

  /** @param {number} i @param {number} x @param {number} y */
  move(i, x, y) {
    this.moved = true;
    this.at[i] = [Math.min(1.05, Math.max(-0.05, x)), Math.min(1.05, Math.max(-0.05, y))];
    this.place();
    this.look(i);
  }

  /** Show the spot under a mark enlarged, on the side of the picture where the finger is not. @param {number} i */
  look(i) {
    const [x, y] = this.at[i];
    const { width, height } = this.element.getBoundingClientRect();
    const half = this.lens.offsetWidth / 2 || 60;
    this.lens.hidden = false;
    this.lens.classList.toggle("right", x < 0.5);
    this.lens.style.backgroundImage = `url("${this.image.src}")`;
    this.lens.style.backgroundSize = `${width * LARGER}px ${height * LARGER}px`;
    this.lens.style.backgroundPosition = `${half - x * width * LARGER}px ${half - y * height * LARGER}px`;
  }

  place() {
    this.outline.setAttribute("points", this.at.map((spot) => spot.join(",")).join(" "));
    this.buttons.forEach((button, i) => {
      button.style.left = `${this.at[i][0] * 100}%`;
      button.style.top = `${this.at[i][1] * 100}%`;
    });
  }
}

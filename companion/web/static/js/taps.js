// @ts-check
/**
 * Turns taps on spaces into steps. Each step offered names the spaces a finger touches for it, in order.
 *
 * @typedef {{step: string, kind: string, worker: string | null, cells: string[]}} Offered
 * @typedef {{kind: "step", step: Offered} | {kind: "choose", steps: Offered[]} | {kind: "more"}
 *   | {kind: "why", cell: string, from: string | null}} Tapped
 */

export class Taps {
  constructor() {
    /** @type {Offered[]} */
    this.steps = [];
    /** @type {string[]} */
    this.touched = [];
    this.given = 0;
  }

  /** Take the steps that are offered now. @param {Offered[]} steps */
  offer(steps) {
    const same = JSON.stringify(steps) === JSON.stringify(this.steps);
    this.steps = steps;
    if (!same) this.reset();
  }

  /** Forget the touches; where only one worker can act it is chosen already. */
  reset() {
    const spatial = this.spatial();
    const first = spatial[0]?.cells[0];
    const alone = spatial.length > 0 && spatial.every((s) => s.cells.length > 1 && s.cells[0] === first);
    this.touched = alone ? [first] : [];
    this.given = this.touched.length;
  }

  /** Steps that are done by touching spaces. */
  spatial() {
    return this.steps.filter((step) => step.cells.length > 0);
  }

  /** Steps without a space: they are buttons. */
  loose() {
    return this.steps.filter((step) => step.cells.length === 0);
  }

  /** @param {string[]} touched @returns {Offered[]} */
  fitting(touched) {
    return this.spatial().filter((step) => touched.every((cell, i) => step.cells[i] === cell));
  }

  /** The spaces that mean something now. @returns {Set<string>} */
  lit() {
    const at = this.touched.length;
    const cells = this.fitting(this.touched).map((step) => step.cells[at]);
    return new Set(/** @type {string[]} */ (cells.filter(Boolean)));
  }

  /** The steps a space would take now, to show what a tap does. @param {string} cell */
  meant(cell) {
    return this.fitting([...this.touched, cell]);
  }

  /** @param {string} cell @returns {Tapped} */
  tap(cell) {
    if (cell === this.touched.at(-1) && !this.lit().has(cell)) {
      this.reset();
      return { kind: "more" };
    }
    if (this.lit().has(cell)) return this.touch([...this.touched, cell]);
    if (this.touched.length > this.given && this.fitting([cell]).length) return this.touch([cell]);
    return { kind: "why", cell, from: this.touched[0] ?? null };
  }

  /** @param {string[]} touched @returns {Tapped} */
  touch(touched) {
    const fitting = this.fitting(touched);
    const full = fitting.filter((step) => step.cells.length === touched.length);
    this.touched = touched;
    if (!full.length) return { kind: "more" };
    if (fitting.length === 1) return { kind: "step", step: full[0] };
    return { kind: "choose", steps: fitting };
  }
}

// @ts-check
/** What was read from the wizard's picture, to be confirmed; a wrong space is corrected by a tap. */
import { Board } from "../board.js";
import { t } from "../context.js";
import { h } from "../dom.js";
import { spaceInWords } from "../say.js";
import { editSpace } from "./edit.js";

/** @param {import("./wizard.js").Wizard} wizard @returns {import("./wizard.js").Part} */
export function checking(wizard) {
  const { step, cells } = wizard.state.check;
  const check = new Check(wizard, cells);
  return {
    title: t("wizard.check.title"),
    body: [h("p", {}, t("wizard.check.means")), check.board.element],
    buttons: [
      wizard.button("wizard.retake", () => wizard.ask("POST", "/take", { step }, step)),
      wizard.button("wizard.check.right", () => wizard.ask("POST", "/confirm", { cells: check.changed() }, step === "tableau" ? "placed" : "done"), "main"),
    ],
    picture: "check",
  };
}

class Check {
  /** @param {import("./wizard.js").Wizard} wizard @param {{cell: string, height: number, top: string}[]} cells */
  constructor(wizard, cells) {
    this.players = Object.keys(wizard.state.colours).map((side) => ({ seat: side, name: wizard.nameOf(side), colour: wizard.state.colours[side] }));
    this.view = { players: this.players, board: cells.map((cell) => seen(cell)) };
    /** @type {Map<string, {height: number, top: string}>} */
    this.edits = new Map();
    this.board = new Board({ label: t("ui.board"), look: "flat", ontap: (cell) => editSpace(this, cell, this.tops()) });
    this.render();
  }

  /** What may stand on a space here: a side's worker is any of its workers. */
  tops() {
    return this.players.map((player) => [player.seat, player.name]);
  }

  /** @param {any} cell */
  edited(cell) {
    const edit = this.edits.get(cell.cell);
    return edit ? seen({ cell: cell.cell, ...edit }) : cell;
  }

  changed() {
    return Object.fromEntries(this.edits);
  }

  render() {
    const cells = this.view.board.map((cell) => this.edited(cell));
    const chosen = new Set(this.edits.keys());
    this.board.render({ cells, players: this.players, chosen, say: (cell) => spaceInWords(this.view, cell, false) });
  }
}

/** @param {{cell: string, height: number, top: string}} space */
function seen({ cell, height, top }) {
  const worker = top && top !== "dome" ? { id: top, seat: top, sex: null } : null;
  return { cell, height, dome: top === "dome", proxy: false, worker, tokens: [] };
}

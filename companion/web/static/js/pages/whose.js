// @ts-check
/** Who is to move on a board that was accepted or set by hand: one tap, the likeliest first. */
import { t } from "../context.js";
import { h, sheet } from "../dom.js";
import { chip } from "../shapes.js";

/** Ask, then send the command with the answer. @param {any} play @param {string | null | undefined} likely @param {Record<string, any>} command */
export function askWhoseTurn(play, likely, command) {
  const first = likely ?? play.view.to_move;
  const inGame = play.view.players.filter((/** @type {any} */ p) => !p.out);
  const players = [...inGame].sort((a, b) => Number(b.seat === first) - Number(a.seat === first));
  const choose = async (/** @type {string} */ seat) => {
    close();
    // Only now: whoever turns away from the question goes on editing, and nothing that was tapped is lost.
    play.edits = null;
    await play.send({ ...command, to_move: seat });
    play.render();
  };
  const close = sheet(
    t("sync.whose_turn"),
    h(
      "div",
      { class: "choices whose" },
      players.map((player) =>
        h("button", { class: `wide player ${player.seat === first ? "main" : ""}`, "data-seat": player.seat, onclick: () => choose(player.seat) }, chip(player), h("strong", {}, play.name(player.seat))),
      ),
    ),
    { close: t("ui.cancel") },
  );
}

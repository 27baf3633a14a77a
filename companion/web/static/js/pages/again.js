// @ts-check
/** A secret is entered again after its phone was lost. */
import { call } from "../api.js";
import { t } from "../context.js";
import { toast } from "../dom.js";

/** @param {any} play @param {string} cell */
export async function enterAgain(play, cell) {
  if (play.entering.includes(cell)) play.entering = play.entering.filter((/** @type {string} */ c) => c !== cell);
  else play.entering = [...play.entering, cell];
  const { view, seat } = play;
  const power = view.players.find((/** @type {any} */ p) => p.seat === seat)?.power;
  const hides = (await call("GET", "/api/powers")).find((/** @type {any} */ p) => p.id === power)?.hides;
  const wanted = hides === "workers" ? 2 : 1;
  // A second tap may have finished it while this one was waiting.
  if (!play.entering || play.entering.length < wanted) return play.render();
  const cells = play.entering;
  play.entering = null;
  const secret = hides === "workers" ? { workers: { [`${seat}1`]: cells[0], [`${seat}2`]: cells[1] } } : { [hides]: cells[0] };
  const reply = await play.line.do({ do: "enter_again", key: play.keys.fresh(view), ...secret });
  if (reply.key) toast(t(reply));
  play.render();
}

// @ts-check
/** What the LEDs under and around the board show, drawn where they lie: for hosts without LEDs, or to check the wiring. */
import { call, Refused } from "../api.js";
import { t } from "../context.js";
import { h, put, s, sheet } from "../dom.js";

const BEAT = 700;
const SHAPES = ["cells", "ring"];
/** @typedef {{x: number, y: number, colour: string, meaning: string}} Led */

/** @param {string} table */
export function openLights(table) {
  const frame = h("div", { class: "leds" });
  let open = true;
  sheet(t("settings.lights"), [frame], { close: t("ui.close"), onclose: () => (open = false) });
  const show = async () => {
    if (!open) return;
    await draw(frame, table);
    setTimeout(show, BEAT);
  };
  return show();
}

/** @param {HTMLElement} frame @param {string} table */
async function draw(frame, table) {
  try {
    const shapes = await Promise.all(SHAPES.map((shape) => call("GET", `/api/tables/${table}/lights/${shape}`)));
    put(frame, picture(shapes.map((lights) => (lights.brightness ? lights.leds : []))));
  } catch (error) {
    // The server is away for a moment: the last picture stays until it is back.
    if (!(error instanceof Refused)) throw error;
  }
}

/** @param {Led[][]} shapes */
function picture(shapes) {
  const [cells, ring] = shapes;
  return s(
    "svg",
    { viewBox: "-0.12 -0.12 1.24 1.24", role: "img", "aria-label": t("settings.lights") },
    s("rect", { x: 0, y: 0, width: 1, height: 1, rx: 0.02, fill: "#2b2722" }),
    cells.map((led) => lamp(led, 0, 0.07)),
    ring.map((led) => lamp(led, 0.06, 0.035)),
  );
}

/** One LED; those of the ring lie a little outside. @param {Led} led @param {number} out @param {number} size */
function lamp(led, out, size) {
  const away = (/** @type {number} */ at) => (at === 0 ? -out : at === 1 ? 1 + out : at);
  const dark = led.colour === "000000";
  // LEDs are linear in their numbers, screens are not.
  const parts = [0, 2, 4].map((at) => Math.round(255 * (parseInt(led.colour.slice(at, at + 2), 16) / 255) ** 0.45));
  return s("circle", { cx: away(led.x), cy: 1 - away(led.y), r: size, fill: dark ? "#3b352e" : `rgb(${parts.join(" ")})`, "data-led": led.meaning || "off" });
}

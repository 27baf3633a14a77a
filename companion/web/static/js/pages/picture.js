// @ts-check
/** The camera's picture in the wizard: live, with what is seen over it, or one that was taken. */
import { cameraWords, t } from "../context.js";
import { h } from "../dom.js";

const BEAT = 700;
/** @type {Record<string, string>} */
const ADDRESSES = { live: "picture?overlay=false", seen: "picture?overlay=true", empty: "shot?which=empty", check: "shot?which=check", plan: "shot?which=plan" };
const STILL = ["empty", "check"];
const FINE = ["none", "ok"];

export class Picture {
  /** @param {string} path */
  constructor(path) {
    this.path = path;
    this.image = h("img", { class: "picture", alt: t("camera.picture") });
    this.note = h("p", { class: "waiting-note", role: "status" });
    this.kind = "";
    this.timer = 0;
    this.url = "";
    this.round = 0;
  }

  /** @param {string} kind */
  show(kind) {
    this.stop();
    this.kind = kind;
    this.next(++this.round);
  }

  stop() {
    clearTimeout(this.timer);
    this.round++;
    this.kind = "";
  }

  /** Fetch the newest picture, then the next; never two at a time. @param {number} round */
  async next(round) {
    let [shown, words] = [false, ""];
    try {
      const answer = await fetch(`${this.path}/${ADDRESSES[this.kind]}`);
      if (round !== this.round) return;
      if (answer.ok) this.put(await answer.blob());
      shown = answer.ok;
      const says = answer.headers.get("Camera-Says");
      if (this.kind === "seen" && says && !FINE.includes(says)) words = cameraWords(says);
    } catch {
      // The next beat tries again.
    }
    if (round !== this.round) return;
    this.note.textContent = shown ? words : t("wizard.no_picture");
    if (shown && STILL.includes(this.kind)) return;
    this.timer = setTimeout(() => this.next(round), BEAT);
  }

  /** @param {Blob} picture */
  put(picture) {
    const old = this.url;
    this.url = URL.createObjectURL(picture);
    this.image.src = this.url;
    if (old) URL.revokeObjectURL(old);
  }
}

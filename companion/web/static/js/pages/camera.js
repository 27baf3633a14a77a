// @ts-check
/** This phone as the table's camera: live over https, or one photo at a time anywhere. */
import { call, Refused } from "../api.js";
import { loadMe, shared, t } from "../context.js";
import { h, put } from "../dom.js";
import { keepAwake } from "../senses.js";

const WIDTH = 1280;
const QUALITY = 0.8;
const GAP = 200;

/** The table whose pictures this phone sends. @returns {string} */
function place() {
  const { looks, seats, tables } = shared.me;
  return looks.at(-1) ?? seats.at(-1)?.table ?? tables.at(-1)?.table;
}

/** @param {HTMLElement} page */
export async function open(page) {
  const camera = new PhoneCamera(place());
  const https = shared.me.secure_address;
  const live = Boolean(navigator.mediaDevices?.getUserMedia);
  put(
    page,
    h(
      "article",
      { class: "paper" },
      h("header", {}, h("a", { class: "button round", href: "/", "aria-label": t("ui.back") }, "‹"), h("h1", {}, t("camera.phone.title"))),
      shared.me.looks.length > 0 && h("p", {}, t("camera.phone.only")),
      camera.video,
      camera.status,
      live ? h("button", { class: "main wide", onclick: () => camera.start() }, t("camera.phone.start")) : h("p", {}, t("camera.phone.needs_https"), " ", https && h("a", { href: `${https}/camera` }, https)),
      h("label", { class: "button wide", for: "photo" }, t("camera.phone.still")),
      h("input", { id: "photo", type: "file", accept: "image/*", capture: "environment", class: "unseen", onchange: (/** @type {any} */ e) => camera.chosen(e.target) }),
      h("p", { class: "soft" }, t(shared.me.keeps_pictures ? "legal.debug" : "legal.camera")),
    ),
  );
}

class PhoneCamera {
  /** @param {string} table */
  constructor(table) {
    this.table = table;
    this.running = false;
    this.video = h("video", { muted: true, playsinline: true, class: "picture" });
    this.status = h("p", { role: "status" });
    this.canvas = document.createElement("canvas");
    this.sent = 0;
    this.since = performance.now();
  }

  async start() {
    const video = { facingMode: "environment", width: { ideal: WIDTH } };
    try {
      this.video.srcObject = await navigator.mediaDevices.getUserMedia({ video, audio: false });
    } catch {
      this.status.textContent = t("camera.phone.refused");
      return;
    }
    await this.video.play();
    keepAwake();
    this.since = performance.now();
    if (this.running) return;
    this.running = true;
    this.send();
  }

  /** Send a picture; the next one only when this one has been read, so that none pile up. */
  async send() {
    if (!this.running) return;
    const began = performance.now();
    const picture = await this.grab(this.video, this.video.videoWidth, this.video.videoHeight);
    if (picture) await this.push(picture);
    const took = performance.now() - began;
    setTimeout(() => this.send(), Math.max(GAP - took, took > 1000 ? took : 0));
  }

  /** @param {CanvasImageSource} from @param {number} width @param {number} height @returns {Promise<Blob | null>} */
  grab(from, width, height) {
    const scale = Math.min(1, WIDTH / Math.max(width, 1));
    this.canvas.width = width * scale;
    this.canvas.height = height * scale;
    this.canvas.getContext("2d")?.drawImage(from, 0, 0, this.canvas.width, this.canvas.height);
    return new Promise((done) => this.canvas.toBlob(done, "image/jpeg", QUALITY));
  }

  /** @param {Blob} picture */
  async push(picture) {
    try {
      await call("POST", `/api/tables/${this.table}/camera/frame`, picture);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.status.textContent = t(error.text);
      if (error.status === 403 || error.status === 404) await this.moved();
      return;
    }
    this.sent++;
    const seconds = (performance.now() - this.since) / 1000;
    this.status.textContent = t("camera.phone.sending", { count: Math.max(1, Math.round(this.sent / Math.max(seconds, 1))) });
    this.status.dataset.sent = String(this.sent);
  }

  /** Refused: in a rematch the camera goes along to the next table; otherwise this phone was taken off. */
  async moved() {
    const before = this.table;
    try {
      await loadMe();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return;
    }
    this.table = place();
    if (this.table === before) this.stop();
  }

  /** Take no more pictures. */
  stop() {
    this.running = false;
    const stream = /** @type {MediaStream | null} */ (this.video.srcObject);
    stream?.getTracks().forEach((track) => track.stop());
    this.video.srcObject = null;
  }

  /** The same photo may be chosen again. @param {HTMLInputElement} input */
  chosen(input) {
    const file = input.files?.[0];
    input.value = "";
    return this.still(file);
  }

  /** @param {File | undefined} file */
  async still(file) {
    if (!file) return;
    try {
      const image = await createImageBitmap(file, { imageOrientation: "from-image" });
      const picture = await this.grab(image, image.width, image.height);
      if (picture) await this.push(picture);
    } catch {
      this.status.textContent = t("error.bad_picture");
    }
  }
}

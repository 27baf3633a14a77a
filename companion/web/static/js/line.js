// @ts-check
/**
 * The one WebSocket of this phone. It comes back by itself: at once after sleep, then with growing pauses.
 * Between losing step and the next view `inStep` is false and nothing can be sent.
 */

const ANSWER = 1500;
const BEAT = 10000;
const PAUSES = [0, 250, 500, 1000, 2000, 4000];

export class Line {
  /** @param {{onview: (view: any) => void, ontold: (message: any) => void, onstep: (inStep: boolean) => void,
   *   onout: (key: string) => void, ongone: (text: {key: string, facts?: any}) => void}} listeners */
  constructor(listeners) {
    this.on = listeners;
    this.inStep = false;
    this.seq = 0;
    this.tries = 0;
    this.next = 1;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** What a table screen shows of itself, so that the host can seat somebody at it. */
    this.sign = "";
    /** @type {{table: string, seat: string | null, screen?: boolean} | null} */
    this.place = null;
    /** @type {Map<number, (reply: any) => void>} */
    this.waiting = new Map();
    this.timer = 0;
    /** @type {Set<() => void>} */
    this.curious = new Set();
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.check());
    addEventListener("online", () => this.check());
    addEventListener("pageshow", (event) => event.persisted && this.check());
    setInterval(() => document.visibilityState === "visible" && this.check(false), BEAT);
  }

  /**
   * Watch a table, as one of my seats or as the public sees it.
   * @param {string} table @param {string | null} seat @param {boolean} [screen] whether this is the table screen
   */
  watch(table, seat, screen = false) {
    this.place = screen ? { table, seat, screen } : { table, seat };
    this.step(false);
    if (this.socket?.readyState === WebSocket.OPEN) this.sit();
    else this.open();
  }

  open() {
    clearTimeout(this.timer);
    this.drop();
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = (this.socket = new WebSocket(`${scheme}//${location.host}/ws`));
    socket.onopen = () => this.place && this.sit();
    socket.onmessage = (event) => socket === this.socket && this.hear(JSON.parse(event.data));
    socket.onclose = (event) => socket === this.socket && this.lost(event);
  }

  /** Take the place that is watched; where the seat is no longer ours, say so. */
  async sit() {
    const { place } = this;
    const reply = await this.ask({ ask: "watch", ...place });
    if (reply.key === "error.not_allowed" && place === this.place) this.out();
  }

  /** The seat is somebody else's now: what comes next is for everybody's eyes. */
  out() {
    if (this.place?.seat == null) return;
    this.place = { ...this.place, seat: null };
    this.on.onout("join.signed_out");
  }

  /** Let go of the socket without waiting for the other side. */
  drop() {
    const old = this.socket;
    this.socket = null;
    for (const answer of this.waiting.values()) answer({ ok: false, key: "error.offline", facts: {} });
    this.waiting.clear();
    old?.close();
  }

  /** @param {CloseEvent} event */
  lost(event) {
    this.step(false);
    if (event.code === 4401) this.out();
    const pause = PAUSES[Math.min(this.tries++, PAUSES.length - 1)];
    this.timer = setTimeout(() => this.open(), pause);
  }

  /** Ask whether the other side is still there; reconnect without a pause when it is not. */
  async check(lock = true) {
    if (!this.place) return;
    this.tries = 0;
    const socket = this.socket;
    if (socket?.readyState !== WebSocket.OPEN) {
      this.step(false);
      this.open();
      return;
    }
    if (lock) this.step(false);
    const answer = await this.ask({ ask: "ping" }, ANSWER);
    if (socket !== this.socket) return;
    if (!answer.pong) {
      this.step(false);
      this.open();
    } else if (lock) this.sit();
  }

  /**
   * @param {Record<string, any>} message @param {number} [patience]
   * @returns {Promise<any>} the reply
   */
  ask(message, patience = 8000) {
    const id = this.next++;
    return new Promise((done) => {
      const answer = (/** @type {any} */ reply) => {
        clearTimeout(late);
        this.waiting.delete(id);
        done(reply);
      };
      const late = setTimeout(() => answer({ ok: false, key: "error.offline", facts: {} }), patience);
      this.waiting.set(id, answer);
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ ...message, id }));
      else answer({ ok: false, key: "error.offline", facts: {} });
    });
  }

  /** Send a command to the table. @param {Record<string, any>} command @param {boolean} [asHost] */
  async do(command, asHost = false) {
    if (!this.inStep) return { ok: false, key: "ui.locked", facts: {} };
    return this.ask({ ask: "do", as_host: asHost, command: { ...command, seq: this.seq } });
  }

  /** Wait until this view, or a later one, has come; not for ever. @param {number} seq */
  async reached(seq) {
    if (this.seq >= seq) return;
    await new Promise((/** @type {(value?: undefined) => void} */ done) => {
      const end = () => {
        clearTimeout(late);
        this.curious.delete(tell);
        done();
      };
      const tell = () => this.seq >= seq && end();
      const late = setTimeout(end, ANSWER);
      this.curious.add(tell);
    });
  }

  /** @param {any} message */
  hear(message) {
    if (message.view) {
      this.tries = 0;
      this.seq = message.view.seq;
      this.socket?.send(JSON.stringify({ ask: "seen", seq: this.seq }));
      // A view of the place we left may still arrive; it is not ours to show.
      if ((message.view.seat ?? null) !== this.place?.seat) return;
      this.step(true);
      this.on.onview(message.view);
      for (const tell of [...this.curious]) tell();
    } else if (message.reply || message.pong) {
      const reply = message.reply ?? message;
      if (reply.sign) this.sign = reply.sign;
      if (reply.key === "error.not_found") this.gone(reply);
      this.waiting.get(message.id)?.(reply);
    } else if (message.gone) this.gone(message.gone);
    else this.on.ontold(message);
  }

  /** The table is no more: there is nothing to come back to. @param {{key: string, facts?: any}} text */
  gone(text) {
    this.place = null;
    this.step(false);
    this.on.ongone(text);
  }

  /** @param {boolean} inStep */
  step(inStep) {
    if (this.inStep === inStep) return;
    this.inStep = inStep;
    this.on.onstep(inStep);
  }
}

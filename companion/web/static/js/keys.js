// @ts-check
/**
 * What the owner's phone does for a seat with a secret, by itself: keep the key, bind every secret in time,
 * remember the seals that everybody saw, and check it all at the end.
 */
import { commitment, newSecret, verifyChain, verifyLinks } from "./commit.js";

/** @param {string} name @returns {any} */
function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} name @param {any} value */
function keep(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Without storage the key lasts as long as this page; the seat is then asked again after a reload.
  }
}

export class Keys {
  constructor() {
    /** @type {Set<string>} */
    this.under_way = new Set();
    this.lost = false;
    /** @type {Set<string>} games and seats whose key the table has from this page */
    this.brought = new Set();
  }

  /** Do what the table waits for. @param {any} view @param {(command: any) => Promise<any>} send */
  async serve(view, send) {
    this.lost = false;
    if (!view.seat) return;
    const first = (view.secret || view.seal_due) && !this.brought.has(`${view.game} ${view.seat}`);
    if (view.key_wanted || first) await this.once(`key ${view.game}`, () => this.bring(view, send));
    if (view.seal_due) await this.once(`seal ${view.game} ${view.seal_due.turn}`, () => this.seal(view, send));
  }

  /** @param {string} name @param {() => Promise<any>} act */
  async once(name, act) {
    if (this.under_way.has(name)) return;
    this.under_way.add(name);
    try {
      await act();
    } finally {
      this.under_way.delete(name);
    }
  }

  /** @param {any} view @param {(command: any) => Promise<any>} send */
  async bring(view, send) {
    const name = `santorini.key.${view.game}.${view.seat}`;
    const known = read(name);
    this.lost = !known && view.waiting_for_key.includes(view.seat);
    if (this.lost) return;
    const key = known ?? newSecret();
    if (!known) keep(name, key);
    const reply = await send({ do: "key", key });
    if (reply.ok) this.brought.add(`${view.game} ${view.seat}`);
  }

  /** Make a key for a secret that is entered again. @param {any} view */
  fresh(view) {
    const key = newSecret();
    keep(`santorini.key.${view.game}.${view.seat}`, key);
    return key;
  }

  /** Bind the secret of this moment with a salt of this phone. @param {any} view @param {(command: any) => Promise<any>} send */
  async seal(view, send) {
    const { turn, power, start, value } = view.seal_due;
    const salt = newSecret();
    const owner = { game: view.game, seat: view.seat, power, start };
    await send({ do: "commit", turn, value, salt, commitment: commitment(owner, turn, value, salt) });
  }

  /** Remember the seals as they come, so that none can be changed later. @param {any} view */
  remember(view) {
    const name = `santorini.seals.${view.game}`;
    const known = read(name) ?? {};
    for (const { seat, turn, commitment: made, link } of view.commitments) {
      const slot = `${seat} ${turn}`;
      known[slot] ??= `${made} ${link}`;
      if (known[slot] !== `${made} ${link}`) known.changed = slot;
    }
    keep(name, known);
  }

  /**
   * Check everything that was revealed, on this phone alone.
   * @param {any} view @returns {{seat: string, ok: boolean, turn: number | null}[]}
   */
  check(view) {
    const known = read(`santorini.seals.${view.game}`) ?? {};
    return view.chains.map((/** @type {any} */ chain) => {
      const verdict = verifyChain(chain);
      const links = verifyLinks(chain.owner, chain.published);
      const other = chain.published.find((/** @type {any} */ p) => differs(known, chain.owner.seat, p));
      if (other) return { seat: chain.owner.seat, ok: false, turn: other.turn };
      const bad = verdict.ok ? (links.ok ? null : links) : verdict;
      return { seat: chain.owner.seat, ok: !bad, turn: bad && !bad.ok ? bad.turn : null };
    });
  }
}

/** @param {any} known @param {string} seat @param {any} published */
function differs(known, seat, published) {
  const seen = known[`${seat} ${published.turn}`];
  return Boolean(seen) && seen !== `${published.commitment} ${published.link}`;
}

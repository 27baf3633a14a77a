// @ts-check
/**
 * Commit and reveal, as docs/secrets.md specifies it.
 *
 * SHA-256 and HMAC are written out here because `crypto.subtle` does not exist on a page that came over
 * plain http; `crypto.getRandomValues` does.
 *
 * @typedef {{game: string, seat: string, power: string, start: number}} Owner
 * @typedef {{turn: number, commitment: string, link: string}} Published
 * @typedef {{turn: number, value: object, salt: string}} Revealed
 * @typedef {{owner: Owner, published: Published[], revealed: Revealed[]}} ChainRecord
 * @typedef {{ok: true} | {ok: false, turn: number, why: string}} Verdict
 */

const BLOCK = 64;
const DEEPEST = 32;
const ORIGIN = "santorini chain 1";
const HASH = /^[0-9a-f]{64}$/;

/** The first 32 bits behind the point of the `root`th root of the first `count` primes (FIPS 180-4). */
function primeRoots(/** @type {number} */ count, /** @type {number} */ root) {
  const words = [];
  for (let candidate = 2; words.length < count; candidate += 1) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor += 1) {
      if (candidate % divisor === 0) isPrime = false;
    }
    if (isPrime) words.push(rootBits(BigInt(candidate), BigInt(root)));
  }
  return words;
}

/** floor(number^(1/root) * 2^32) modulo 2^32, exactly, by halving an interval. */
function rootBits(/** @type {bigint} */ number, /** @type {bigint} */ root) {
  const scaled = number << (32n * root);
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** root <= scaled) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn);
}

const START = Uint32Array.from(primeRoots(8, 2));
const ROUND = Uint32Array.from(primeRoots(64, 3));

const turned = (/** @type {number} */ word, /** @type {number} */ by) => (word >>> by) | (word << (32 - by));

/**
 * @param {Uint8Array} message
 * @returns {Uint8Array} 32 bytes
 */
export function sha256(message) {
  const state = START.slice();
  const padded = new Uint8Array(Math.ceil((message.length + 9) / BLOCK) * BLOCK);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n);
  for (let at = 0; at < padded.length; at += BLOCK) mix(state, schedule(view, at));
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => digest.setUint32(index * 4, word));
  return new Uint8Array(digest.buffer);
}

/** The 64 words of one block. */
function schedule(/** @type {DataView} */ view, /** @type {number} */ at) {
  const words = new Uint32Array(64);
  for (let i = 0; i < 16; i += 1) words[i] = view.getUint32(at + i * 4);
  for (let i = 16; i < 64; i += 1) {
    const [two, fifteen] = [words[i - 2], words[i - 15]];
    const high = turned(two, 17) ^ turned(two, 19) ^ (two >>> 10);
    const low = turned(fifteen, 7) ^ turned(fifteen, 18) ^ (fifteen >>> 3);
    words[i] = high + words[i - 7] + low + words[i - 16];
  }
  return words;
}

/** One block into the state. */
function mix(/** @type {Uint32Array} */ state, /** @type {Uint32Array} */ words) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const chosen = (e & f) ^ (~e & g);
    const most = (a & b) ^ (a & c) ^ (b & c);
    const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + ROUND[i] + words[i]) | 0;
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + most) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] += word;
  });
}

/**
 * @param {Uint8Array} key
 * @param {Uint8Array} message
 * @returns {Uint8Array} HMAC-SHA-256, 32 bytes
 */
export function hmac(key, message) {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  const inner = sha256(joined(block.map((byte) => byte ^ 0x36), message));
  return sha256(joined(block.map((byte) => byte ^ 0x5c), inner));
}

function joined(/** @type {Uint8Array} */ first, /** @type {Uint8Array} */ second) {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** @param {Uint8Array} bytes */
export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} text */
export function fromHex(text) {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new TypeError("not hexadecimal");
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** 32 random bytes as hexadecimal digits: a salt for one commitment, or a seat's key. */
export function newSecret() {
  return toHex(crypto.getRandomValues(new Uint8Array(32)));
}

/**
 * One text for one value (RFC 8785 without fractions); throws TypeError for what has none.
 * @param {unknown} value
 * @returns {string}
 */
export function canonical(value, depth = DEEPEST) {
  if (depth < 0) throw new TypeError("nested too deep");
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return number(value);
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map((part) => canonical(part, depth - 1)).join(",")}]`;
  if (typeof value !== "object") throw new TypeError(`a ${typeof value} has no canonical form`);
  const object = /** @type {Record<string, unknown>} */ (value);
  const fields = Object.keys(object).sort().map((name) => `${quoted(name)}:${canonical(object[name], depth - 1)}`);
  return `{${fields.join(",")}}`;
}

function number(/** @type {number} */ value) {
  if (!Number.isSafeInteger(value)) throw new TypeError("numbers are whole and at most 2**53 - 1 in size");
  return String(value);
}

function quoted(/** @type {string} */ value) {
  if (/\p{Surrogate}/u.test(value)) throw new TypeError("a string with half a surrogate pair");
  return JSON.stringify(value);
}

const utf8 = (/** @type {string} */ text) => new TextEncoder().encode(text);
const hashed = (/** @type {unknown} */ value) => toHex(sha256(utf8(canonical(value))));

/**
 * @param {Owner} owner
 * @param {number} turn
 * @param {object} value
 * @param {string} salt 64 hexadecimal digits that stay on this phone until the end
 */
export function commitment(owner, turn, value, salt) {
  if (!HASH.test(salt)) throw new TypeError("a salt is 64 hexadecimal digits");
  const message = { game: owner.game, seat: owner.seat, power: owner.power, turn, value };
  return toHex(hmac(fromHex(salt), utf8(canonical(message))));
}

/** The link in front of the first one. @param {Owner} owner */
export function origin({ game, seat, power, start }) {
  return hashed({ chain: ORIGIN, game, seat, power, start });
}

/**
 * @param {string} previous
 * @param {number} turn
 * @param {string} commitment
 */
export function link(previous, turn, commitment) {
  return hashed({ previous, turn, commitment });
}

/**
 * The next entry of a chain.
 * @param {Owner} owner
 * @param {Published[]} before
 * @param {string} commitment
 * @returns {Published}
 */
export function publish(owner, before, commitment) {
  const turn = owner.start + before.length;
  const previous = before.length ? before[before.length - 1].link : origin(owner);
  return { turn, commitment, link: link(previous, turn, commitment) };
}

/**
 * The chain alone, as every phone checks it while the game runs.
 * @param {Owner} owner
 * @param {Published[]} published
 * @returns {Verdict}
 */
export function verifyLinks(owner, published) {
  let previous = origin(owner);
  for (const [index, entry] of published.entries()) {
    const turn = owner.start + index;
    if (entry.turn !== turn) return { ok: false, turn, why: "turn" };
    const sound = HASH.test(entry.commitment) && entry.link === link(previous, turn, entry.commitment);
    if (!sound) return { ok: false, turn, why: "link" };
    previous = entry.link;
  }
  return { ok: true };
}

/**
 * The chain and everything revealed, as every phone checks it at the end.
 * @param {ChainRecord} record
 * @returns {Verdict}
 */
export function verifyChain({ owner, published, revealed }) {
  const links = verifyLinks(owner, published);
  if (!links.ok) return links;
  const both = Math.min(published.length, revealed.length);
  for (let index = 0; index < both; index += 1) {
    const why = fault(owner, published[index], revealed[index]);
    if (why) return { ok: false, turn: published[index].turn, why };
  }
  if (revealed.length === published.length) return { ok: true };
  return { ok: false, turn: owner.start + both, why: revealed.length < published.length ? "missing" : "extra" };
}

/** @returns {string | null} what does not fit */
function fault(/** @type {Owner} */ owner, /** @type {Published} */ entry, /** @type {Revealed} */ secret) {
  if (secret.turn !== entry.turn) return "turn";
  if (!HASH.test(secret.salt)) return "salt";
  try {
    return commitment(owner, secret.turn, secret.value, secret.salt) === entry.commitment ? null : "commitment";
  } catch (error) {
    if (error instanceof TypeError) return "commitment";
    throw error;
  }
}

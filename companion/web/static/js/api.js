// @ts-check
/** Calls to the server; a refusal becomes an error that carries its text. */

export class Refused extends Error {
  /** @param {number} status @param {import("./texts.js").Text} text */
  constructor(status, text) {
    super(text.key);
    this.status = status;
    this.text = text;
  }
}

/**
 * @param {string} method @param {string} path @param {unknown} [body]
 * @returns {Promise<any>}
 */
export async function call(method, path, body) {
  const init = /** @type {RequestInit} */ ({ method, headers: {} });
  if (body instanceof Blob) init.body = body;
  else if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { "Content-Type": "application/json" };
  }
  let answer;
  try {
    answer = await fetch(path, init);
  } catch {
    throw new Refused(0, { key: "error.offline" });
  }
  const kind = answer.headers.get("content-type") ?? "";
  if (!answer.ok) {
    const text = kind.includes("json") ? await answer.json() : { key: "error.unknown" };
    throw new Refused(answer.status, text);
  }
  if (answer.status === 204) return null;
  return kind.includes("json") ? answer.json() : answer.text();
}

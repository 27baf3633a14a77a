// Runs commit.js over the vectors, over spoiled chains and over values made by the test; prints what failed.
import { readFileSync } from "node:fs";
import * as commit from "../../../companion/web/static/js/commit.js";

const [, , vectorsPath, casesPath] = process.argv;
const vectors = JSON.parse(readFileSync(vectorsPath, "utf8"));
const cases = JSON.parse(readFileSync(casesPath, "utf8"));
const utf8 = (text) => new TextEncoder().encode(text);
const failures = [];
let checks = 0;

function same(what, found, expected) {
  checks += 1;
  if (found !== expected) failures.push({ what, found, expected });
}

function attempt(work) {
  try {
    return work();
  } catch (error) {
    if (error instanceof TypeError) return "refused";
    throw error;
  }
}

for (const { text, sha256 } of vectors.sha256) same("sha256", commit.toHex(commit.sha256(utf8(text))), sha256);
for (const { key, text, hmac } of vectors.hmac) {
  same("hmac", commit.toHex(commit.hmac(commit.fromHex(key), utf8(text))), hmac);
}
for (const { json, canonical } of vectors.canonical) same(json, commit.canonical(JSON.parse(json)), canonical);
for (const json of vectors.refused) same(json, attempt(() => commit.canonical(JSON.parse(json))), "refused");
for (const { owner, turn, value, salt, commitment } of vectors.commitments) {
  same("commitment", commit.commitment(owner, turn, value, salt), commitment);
}
for (const chain of vectors.chains) {
  same("chain", JSON.stringify(commit.verifyChain(chain)), '{"ok":true}');
  const again = [];
  for (const { turn, value, salt } of chain.revealed) {
    again.push(commit.publish(chain.owner, again, commit.commitment(chain.owner, turn, value, salt)));
  }
  same("publish", commit.canonical(again), commit.canonical(chain.published));
}
for (const { json, canonical } of cases.values) same(json, attempt(() => commit.canonical(JSON.parse(json))), canonical);
for (const { record, turn, why } of cases.spoiled) {
  same("spoiled", JSON.stringify(commit.verifyChain(record)), JSON.stringify({ ok: false, turn, why }));
}
const secrets = new Set(Array.from({ length: 100 }, commit.newSecret));
same("100 secrets differ", secrets.size, 100);
for (const secret of secrets) same("a secret is 64 digits", /^[0-9a-f]{64}$/.test(secret), true);
console.log(JSON.stringify({ checks, failures }));

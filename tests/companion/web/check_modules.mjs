// Checks the pages' modules that need no page: taps into steps, written turns into positions.
import assert from "node:assert/strict";

const root = new URL("../../../companion/web/static/js/", import.meta.url);
const { Taps } = await import(new URL("taps.js", root));
Object.assign(globalThis, { document: { addEventListener() {} }, addEventListener() {}, setInterval() {} });
const { Line } = await import(new URL("line.js", root));
const { empty, play, positions } = await import(new URL("notation.js", root));

const step = (step, kind, cells) => ({ step, kind, worker: step.slice(0, 2), cells });
const moves = [
  step("A1:b2>b3", "move", ["b2", "b3"]),
  step("A1:b2>c3", "move", ["b2", "c3"]),
  step("A2:d4>c3", "move", ["d4", "c3"]),
];

const checks = {
  async "a tap waits for the board it led to, not for any other that comes before"() {
    const quiet = () => {};
    const line = new Line({ onview: quiet, ontold: quiet, onstep: quiet, onout: quiet, ongone: quiet });
    line.place = { table: "t", seat: "A" };
    let there = false;
    const reached = line.reached(5).then(() => (there = true));
    line.hear({ view: { seq: 4, seat: "A" } });
    await new Promise((done) => setTimeout(done, 20));
    assert.equal(there, false);
    line.hear({ view: { seq: 5, seat: "A" } });
    await reached;
    await line.reached(3);
  },
  "a worker, then a space, is a step"() {
    const taps = new Taps();
    taps.offer(moves);
    assert.deepEqual([...taps.lit()].sort(), ["b2", "d4"]);
    assert.equal(taps.tap("b2").kind, "more");
    assert.deepEqual([...taps.lit()].sort(), ["b3", "c3"]);
    assert.equal(taps.tap("c3").step.step, "A1:b2>c3");
  },
  "another worker takes over, the same one is put down"() {
    const taps = new Taps();
    taps.offer(moves);
    taps.tap("b2");
    assert.equal(taps.tap("d4").kind, "more");
    assert.equal(taps.tap("c3").step.step, "A2:d4>c3");
    taps.reset();
    taps.tap("b2");
    taps.tap("b2");
    assert.deepEqual(taps.touched, []);
  },
  "a dark space asks why, from the worker that was touched"() {
    const taps = new Taps();
    taps.offer(moves);
    assert.deepEqual(taps.tap("e5"), { kind: "why", cell: "e5", from: null });
    taps.tap("b2");
    assert.deepEqual(taps.tap("e5"), { kind: "why", cell: "e5", from: "b2" });
  },
  "where one worker can act it is chosen already"() {
    const taps = new Taps();
    taps.offer(moves.slice(0, 2));
    assert.deepEqual(taps.touched, ["b2"]);
    assert.equal(taps.tap("b3").step.step, "A1:b2>b3");
  },
  "two steps on one space are a choice; steps without a space are buttons"() {
    const taps = new Taps();
    taps.offer([step("A1+c4", "build", ["c4"]), step("A1^c4", "build", ["c4"]), step("use", "choose", [])]);
    assert.equal(taps.tap("c4").kind, "choose");
    assert.deepEqual(taps.loose().map((s) => s.step), ["use"]);
  },
  "a longer step on the same spaces is a choice as well"() {
    const taps = new Taps();
    taps.offer([step("A1:b2>c3", "move", ["b2", "c3"]), step("x", "move", ["b2", "c3", "d4"])]);
    assert.equal(taps.tap("c3").kind, "choose");
  },
  "the same offer keeps what was touched, another one does not"() {
    const taps = new Taps();
    taps.offer(moves);
    taps.tap("b2");
    taps.offer(structuredClone(moves));
    assert.deepEqual(taps.touched, ["b2"]);
    taps.offer(moves.slice(1));
    assert.deepEqual(taps.touched, []);
  },
  "written turns play on a board"() {
    const all = positions([
      { turn: "A1@b2 A2@d4" },
      { turn: "B1@c3 B2@d2" },
      { turn: "A1:b2>c3 [B1:c3~b2] A1+c4" },
      { turn: "B1:b2>b3 +c4 +c4 ^c4" },
    ]);
    const [, , , third, last] = all;
    assert.equal(third.c3.worker, "A1");
    assert.equal(third.b2.worker, "B1");
    assert.equal(third.c4.height, 1);
    assert.deepEqual([last.c4.height, last.c4.dome], [3, true]);
  },
  "consequences, removals, swaps and tokens are played; cancelled steps are not"() {
    let board = play(empty(), "A1@a1 B1@b2 B2@e5 talus@c2 coin@d4");
    board = play(board, "A1<>B1 [xB2] !A1:b2>c3");
    assert.equal(board.a1.worker, "B1");
    assert.equal(board.b2.worker, "A1");
    assert.equal(board.e5.worker, null);
    assert.deepEqual(board.c2.tokens, ["talus"]);
    board = play(board, "A1+d4 -d4");
    assert.deepEqual([board.d4.height, board.d4.tokens], [0, []]);
  },
};

for (const [name, check] of Object.entries(checks)) {
  await check();
  console.log(`ok ${name}`);
}

// @ts-check
/**
 * Plays written turns forward on a board, for looking back and for the replay.
 * It moves pieces as written and judges nothing.
 *
 * @typedef {{height: number, dome: boolean, worker: string | null, tokens: string[]}} Space
 * @typedef {Record<string, Space>} Position
 */

export const CELLS = [..."12345"].flatMap((row) => [..."abcde"].map((column) => column + row));

/** @returns {Position} */
export function empty() {
  return Object.fromEntries(CELLS.map((c) => [c, { height: 0, dome: false, worker: null, tokens: [] }]));
}

/** @param {Position} board @param {string} worker @returns {string | null} */
function where(board, worker) {
  return CELLS.find((cell) => board[cell].worker === worker) ?? null;
}

/** @param {Position} board @param {string} worker @param {string | null} to */
function stand(board, worker, to) {
  const from = where(board, worker);
  if (from) board[from].worker = null;
  if (to) board[to].worker = worker;
}

/** @type {[RegExp, (board: Position, found: string[]) => void][]} */
const STEPS = [
  [/^([A-D]\d):\w\d[>~](\w\d)$/, (b, [, w, to]) => stand(b, w, to)],
  [/^(?:[A-D]\d)?\+(\w\d)$/, (b, [, at]) => void (b[at].tokens = [], b[at].height++)],
  [/^(?:[A-D]\d)?\^(\w\d)$/, (b, [, at]) => void (b[at].tokens = [], b[at].dome = true)],
  [/^-(\w\d)$/, (b, [, at]) => void (b[at].height = Math.max(0, b[at].height - 1))],
  [/^x([A-D]\d)$/, (b, [, w]) => stand(b, w, null)],
  [/^([A-D]\d)@(\w\d)$/, (b, [, w, to]) => stand(b, w, to)],
  [/^(whirlpool|coin)@(\w\d)$/, (b, [, token, at]) => void b[at].tokens.push(token)],
  [
    /^(talus|ram)@(\w\d)$/,
    (b, [, token, at]) => {
      // There is one of each: it leaves where it was.
      for (const cell of CELLS) b[cell].tokens = b[cell].tokens.filter((lying) => lying !== token);
      b[at].tokens.push(token);
    },
  ],
  [
    /^([A-D]\d)<>([A-D]\d)$/,
    (b, [, one, two]) => {
      const [here, there] = [where(b, one), where(b, two)];
      if (here && there) [b[here].worker, b[there].worker] = [two, one];
    },
  ],
];

/**
 * Play one turn; swaps inside brackets may cross, so a worker that was walked over stays known.
 * @param {Position} before @param {string} turn @returns {Position}
 */
export function play(before, turn) {
  const board = structuredClone(before);
  for (const word of turn.replace(/[[\]]/g, " ").split(/\s+/)) {
    if (word.startsWith("!")) continue;
    for (const [pattern, act] of STEPS) {
      const found = pattern.exec(word);
      if (found) act(board, found);
    }
  }
  return board;
}

/**
 * All positions of a game, the empty board first, or that which the game was begun from.
 * A turn may bring the board that it was played on: then that was set right by hand.
 * @param {{turn: string, start?: any[]}[]} history @returns {Position[]}
 */
export function positions(history) {
  const all = [history[0]?.start?.length ? fromCells(history[0].start) : empty()];
  for (const { turn, start } of history) all.push(play(start?.length ? fromCells(start) : all[all.length - 1], turn));
  return all;
}

/** A view's board as a position. @param {any[]} cells @returns {Position} */
function fromCells(cells) {
  return Object.fromEntries(cells.map((c) => [c.cell, { height: c.height, dome: c.dome, worker: c.worker?.id ?? null, tokens: [...c.tokens] }]));
}

/** A position in the shape of a view's board. @param {Position} board */
export function asCells(board) {
  return CELLS.map((cell) => ({
    cell,
    height: board[cell].height,
    dome: board[cell].dome,
    proxy: false,
    worker: board[cell].worker ? { id: board[cell].worker, seat: board[cell].worker[0], sex: null } : null,
    tokens: board[cell].tokens,
  }));
}

// @ts-check
/** Which of this device's seats were given to its table screen; the right to speak for them is the cookie's. */

/** @param {string} table */
const name = (table) => `santorini.screen.${table}`;

/** @param {string} table @returns {string[]} */
export function given(table) {
  try {
    return JSON.parse(localStorage.getItem(name(table)) ?? "[]");
  } catch {
    return [];
  }
}

/** @param {string} table @param {string[]} seats */
export function give(table, seats) {
  try {
    localStorage.setItem(name(table), JSON.stringify(seats));
  } catch {
    // Without storage the seats are played on this device's other page, behind its hand-over screen.
  }
}

/** The seat is played elsewhere now. @param {string} table @param {string} seat */
export function takeBack(table, seat) {
  give(table, given(table).filter((other) => other !== seat));
}

/**
 * A rematch: what was played on the screen is played there again.
 * @param {string} old @param {string} table @param {{was: string, seat: string}[]} seats
 */
export function giveAgain(old, table, seats) {
  const before = given(old);
  give(table, seats.filter((place) => before.includes(place.was)).map((place) => place.seat));
}

/**
 * The seats that a page of this device plays: the table screen those that were given to it, another page the rest.
 * @param {string} kind @param {string} table @param {string[]} seats
 */
export function playedHere(kind, table, seats) {
  const onScreen = given(table);
  return seats.filter((seat) => (kind === "screen") === onScreen.includes(seat));
}

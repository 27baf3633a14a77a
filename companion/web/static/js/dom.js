// @ts-check
/** Small helpers to build elements; nothing here knows the game. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * Build an element: `h("button", {class: "big", onclick: go}, "Go")`.
 * @param {string} tag @param {Record<string, any>} [props] @param {...(Child | Child[])} children
 * @returns {any}
 */
export function h(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/**
 * Build an SVG element.
 * @param {string} tag @param {Record<string, any>} [props] @param {...(Child | Child[])} children
 * @returns {any}
 */
export function s(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

/** @param {Element} node @param {Record<string, any>} props @param {(Child | Child[])[]} children */
function fill(node, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, String(value));
  }
  for (const child of children.flat()) if (child || child === "") node.append(child);
  return node;
}

/** Replace what is inside a node. @param {Element} node @param {...(Child | Child[])} children */
export function put(node, ...children) {
  node.replaceChildren(.../** @type {(Node | string)[]} */ (children.flat().filter((c) => c || c === "")));
  return node;
}

/** Say something to a screen reader. @param {string} text */
export function announce(text) {
  const live = document.getElementById("live");
  if (live && live.textContent !== text) live.textContent = text;
}

/**
 * Open a sheet over the page; it closes by its button, Escape, or the returned function.
 * @param {string} title @param {Child[]} body @param {{close?: string, kind?: string, onclose?: () => void}} [options]
 * @returns {() => void}
 */
export function sheet(title, body, options = {}) {
  const name = `sheet-${Math.random().toString(36).slice(2)}`;
  const dialog = h(
    "dialog",
    { class: `sheet ${options.kind ?? ""}`, "aria-labelledby": name },
    // The title has the focus first: it is read out, and nothing looks chosen already.
    h("h2", { id: name, tabindex: "-1", autofocus: true }, title),
    h("div", { class: "sheet-body" }, body),
    options.close && h("button", { class: "wide plain", onclick: () => dialog.close() }, options.close),
  );
  dialog.addEventListener("close", () => {
    dialog.remove();
    options.onclose?.();
  });
  // A tap beside the sheet closes it, as the thumb expects.
  dialog.addEventListener("click", (/** @type {MouseEvent} */ event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return () => dialog.open && dialog.close();
}

let toasts = 0;

/** Show one sentence for a while. @param {string} text @param {string} [kind] */
export function toast(text, kind = "") {
  document.querySelectorAll(".toast").forEach((old) => old.remove());
  // It is announced below; found twice it would be read twice.
  const mine = h("div", { class: `toast ${kind}`, "data-n": ++toasts, "aria-hidden": "true" }, text);
  document.body.append(mine);
  announce(text);
  mine.addEventListener("click", () => mine.remove());
  setTimeout(() => mine.remove(), 6000);
}

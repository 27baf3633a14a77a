// Say every step on standard input as the phone's say.js does, in every language that is given.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const nothing = { getItem: () => null, setItem() {}, removeItem() {} };
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"] }, configurable: true });
Object.assign(globalThis, { matchMedia: () => ({ addEventListener() {} }), localStorage: nothing, sessionStorage: nothing, addEventListener() {}, document: { addEventListener() {}, documentElement: {} } });
const here = (name) => import(pathToFileURL(`${process.argv[2]}/${name}.js`).href);
const [{ stepInWords }, { shared }, { Texts }] = [await here("say"), await here("context"), await here("texts")];
const { catalogues, steps } = JSON.parse(readFileSync(0, "utf8"));
const said = catalogues.map((each) => ((shared.texts = new Texts(each)), steps.map(stepInWords)));
console.log(JSON.stringify(said));

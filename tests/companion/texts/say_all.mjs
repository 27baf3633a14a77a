// Say everything on standard input with the phone's texts.js; answer with the sentences.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { Texts } = await import(pathToFileURL(process.argv[2]).href);
const { catalogues, wanted } = JSON.parse(readFileSync(0, "utf8"));
const speakers = Object.fromEntries(catalogues.map((each) => [each.language, new Texts(each)]));
console.log(JSON.stringify(wanted.map(([language, text]) => speakers[language].say(text))));

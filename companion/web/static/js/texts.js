// @ts-check
/**
 * Texts on the phone: the same templates and the same rules as companion/texts/say.py.
 *
 * @typedef {string | number | Text | Array<string | number | Text>} Fact
 * @typedef {{key: string, facts?: Record<string, Fact>}} Text
 * @typedef {{language: string, texts: Record<string, string | string[]>}} Catalogue
 */

const PLACE = /\{(\w+)\}/g;

/** Says texts in one language. */
export class Texts {
  /** @param {Catalogue} catalogue  what `companion.texts.export` gives */
  constructor(catalogue) {
    this.language = catalogue.language;
    this.texts = catalogue.texts;
    this.rules = new Intl.PluralRules(catalogue.language);
  }

  /** @param {string} key @returns {boolean} whether there is such a text */
  has(key) {
    return Object.hasOwn(this.texts, key);
  }

  /**
   * Say a text: `say("ui.your_turn")`, `say("ui.blocks_left", {count: 3})` or `say({key, facts})`.
   * @param {string | Text} text
   * @param {Record<string, Fact>} [facts]
   * @returns {string}
   */
  say(text, facts = {}) {
    if (typeof text !== "string") return this.say(text.key, text.facts ?? {});
    if (!this.has(text)) {
      console.warn(`text missing: ${text} (${this.language})`);
      return text;
    }
    return this.form(this.texts[text], facts.count).replace(PLACE, (_, name) => {
      if (Object.hasOwn(facts, name)) return this.fact(facts[name]);
      console.warn(`fact missing: ${name} in ${text} (${this.language})`);
      return "…";
    });
  }

  /**
   * Choose the plural form. Forms stand in the order one, few, many (or one, other).
   * @param {string | string[]} forms @param {Fact | undefined} count @returns {string}
   */
  form(forms, count) {
    if (typeof forms === "string") return forms;
    const last = forms.length - 1;
    if (typeof count !== "number") return forms[last];
    const category = this.rules.select(count);
    if (category === "one") return forms[0];
    return category === "few" && last > 1 ? forms[1] : forms[last];
  }

  /** @param {Fact} fact @returns {string} */
  fact(fact) {
    if (Array.isArray(fact)) return fact.map((word) => this.fact(word)).join(", ");
    return typeof fact === "object" ? this.say(fact) : String(fact);
  }
}

/**
 * Fetch a language once; the browser's cache does the rest.
 * @param {string} language @param {(language: string) => string} address
 * @returns {Promise<Texts>}
 */
export async function loadTexts(language, address = (code) => `/texts/${code}.json`) {
  const answer = await fetch(address(language));
  if (!answer.ok) throw new Error(`no texts for ${language}: ${answer.status}`);
  return new Texts(await answer.json());
}

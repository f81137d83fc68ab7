/**
 * The search: entries by the beginnings of words, best first. It speaks the messages of Material's own search worker,
 * whose place it takes (builder/theme/search.py), and reads its entries when a reader searches for the first time.
 */

interface Entry {
  readonly location: string;
  readonly title: string;
  readonly text: string;
  readonly boost?: number;
}

interface Item extends Entry {
  readonly score: number;
  readonly terms: Readonly<Record<string, boolean>>;
}

/** Material's messages: settings, ready, a query, what was found. */
type Message = { type: 0; data: { config: { separator: string } } } | { type: 2; data: string };
const [READY, RESULT] = [1, 3];
/** A word of the index: by the number of its entry, how often it is in the title and how often in the text. */
type Places = Map<number, [title: number, text: number]>;
/** What is found of an entry: the words that are anywhere in it, and those in its title. */
interface Found {
  score: number;
  readonly matched: Set<string>;
  readonly named: Set<string>;
}

const TITLE_WEIGHT = 1000;
const NAMED_WEIGHT = 4; // of a page whose title has every word
const SATURATION = 1.2; // k1 of BM25: how soon more of the same word says no more
const SHOWN_BLOCKS = 2; // of an entry's text
const TAG = /(<[^>]*>)/;
const BLOCK = /<(p|li|pre)>.*?<\/\1>|[^<>]+(?=<|$)/gs;
let separator = /\s+/;

const normalized = (word: string): string => word.toLowerCase().replace(/^[^\p{L}\p{N}_]+|[^\p{L}\p{N}_]+$/gu, "");
const wordsOf = (text: string): string[] => text.split(separator).map(normalized).filter(Boolean);
const unmarked = (text: string): string => text.replace(/<[^>]*>/g, " ").replace(/&\w+;/g, " ");

class Index {
  private readonly words = new Map<string, Places>();
  private readonly sorted: readonly string[];

  constructor(private readonly entries: readonly Entry[]) {
    entries.forEach(({ title, text }, number) => {
      for (const [field, content] of [title, text].entries()) {
        for (const word of wordsOf(unmarked(content))) this.count(word, number, field as 0 | 1);
      }
    });
    this.sorted = [...this.words.keys()].sort();
  }

  private count(word: string, number: number, field: 0 | 1): void {
    const places: Places = this.words.get(word) ?? new Map();
    this.words.set(word, places);
    const counts = places.get(number) ?? [0, 0];
    places.set(number, counts);
    counts[field] += 1;
  }

  /** The words that begin so. */
  private beginning(term: string): string[] {
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.sorted[middle] ?? "") < term) low = middle + 1;
      else high = middle;
    }
    const found = [];
    for (let at = low; this.sorted[at]?.startsWith(term); at++) found.push(this.sorted[at] ?? "");
    return found;
  }

  find(query: string): { items: Item[][]; suggest: string[] } {
    const needed = [...query.matchAll(/"([^"]+)"/g)].flatMap(([, words]) => wordsOf(words ?? ""));
    const terms = [...new Set(wordsOf(query))];
    const scores = new Map<number, Found>();
    for (const term of terms) for (const word of this.beginning(term)) this.add(term, this.words.get(word), scores);
    const items = [...scores]
      .filter(([, { matched }]) => needed.every((term) => matched.has(term)))
      .map(([number, found]) => this.item(number, found, terms))
      .sort((one, other) => other.score - one.score);
    const last = terms.at(-1) ?? "";
    const suggest = items.slice(0, 1).flatMap(({ title }) => wordsOf(unmarked(title)).filter((word) => word.startsWith(last)));
    return { items: this.byPage(items), suggest };
  }

  private add(term: string, places: Places | undefined, scores: Map<number, Found>): void {
    if (!places) return;
    const rarity = Math.log(1 + Math.abs((this.entries.length - places.size + 0.5) / (places.size + 0.5)));
    const worth = (count: number): number => (rarity * (SATURATION + 1) * count) / (SATURATION + count);
    for (const [number, [title, text]] of places) {
      const found = scores.get(number) ?? { score: 0, matched: new Set<string>(), named: new Set<string>() };
      scores.set(number, found);
      found.score += (this.entries[number]?.boost ?? 1) * (TITLE_WEIGHT * worth(title) + worth(text));
      found.matched.add(term);
      if (title > 0) found.named.add(term);
    }
  }

  private item(number: number, { score, matched, named }: Found, terms: readonly string[]): Item {
    const entry = this.entries[number] as Entry;
    const isPage = !entry.location.includes("#");
    const boost = (isPage ? 1 : 0) + matched.size / terms.length;
    const asked = isPage && named.size === terms.length ? NAMED_WEIGHT : 1; // the page of that name
    return { ...entry, score: score * asked * (1 + boost ** 2), terms: Object.fromEntries(terms.map((term) => [term, matched.has(term)])) };
  }

  /** The entries of each page together, the page's own among them; marked where they were found. */
  private byPage(items: readonly Item[]): Item[][] {
    const pages = new Map<string, Item[]>();
    for (const item of items) {
      const page = item.location.replace(/#.*/, "");
      pages.set(page, [...(pages.get(page) ?? []), marked(item)]);
    }
    for (const [page, found] of pages) {
      const own = this.entries.find(({ location }) => location === page);
      if (own && !found.some(({ location }) => location === page)) found.push({ ...own, score: 0, terms: {} });
    }
    return [...pages.values()];
  }
}

/** An entry with its words marked, and of its text only blocks that have some. */
function marked(item: Item): Item {
  const terms = Object.keys(item.terms);
  const mark = (word: string): string =>
    terms.some((term) => normalized(word).startsWith(term)) ? `<mark>${word}</mark>` : word;
  const markAll = (html: string): string =>
    html
      .split(TAG)
      .map((part) => (part.startsWith("<") ? part : part.replace(/[\p{L}\p{N}_]+/gu, mark)))
      .join("");
  const blocks = (item.text.match(BLOCK) ?? []).map(markAll).filter((block) => block.includes("<mark>"));
  return { ...item, title: markAll(item.title), text: blocks.slice(0, SHOWN_BLOCKS).join(" ") };
}

let loading: Promise<Index> | undefined;

async function loaded(): Promise<Index> {
  const response = await fetch(new URL("../search/entries.json", location.href));
  if (!response.ok) throw new Error(`the search has no entries: ${response.status}`);
  return new Index((await response.json()) as Entry[]);
}

async function found(query: string): Promise<unknown> {
  if (!query.trim()) return { items: [] };
  try {
    return (await (loading ??= loaded())).find(query);
  } catch (error) {
    loading = undefined; // the next query tries again
    console.warn(error);
    return { items: [] };
  }
}

addEventListener("message", ({ data: message }: MessageEvent<Message>) => {
  if (message.type === 0) {
    separator = new RegExp(message.data.config.separator);
    postMessage({ type: READY });
  } else {
    void found(message.data).then((data) => postMessage({ type: RESULT, data }));
  }
});

/**
 * Requests of the page to calculators/bridge.py, and its responses. Made from calculators/answers/messages.py, which
 * says more of it, by `python -m builder.site.messages`; a change belongs there.
 */

export type Texts = Readonly<Record<string, string>>;

export type Ask = "answer" | "explore" | "link" | "markdown" | "summary" | "described" | "measured" | "piece" | "file" | "imported" | "record" | "choices" | "solve" | "sweep" | "map" | "tornado" | "margins" | "compare" | "own" | "offers" | "spreadsheet";

export type Level = "good" | "tight" | "bad";

/** Author's part of a design record: title, notes, links of alternatives; the day; the calculator's address. */
export interface RecordWanted {
  readonly title?: string;
  readonly notes?: string;
  readonly alternatives?: readonly string[];
  readonly offered?: readonly string[];
  readonly day?: string;
  readonly address?: string;
}

/** Request of a page. `python` names the formulas to be written as Python (default: all). */
export interface Question {
  readonly asks: readonly Ask[];
  readonly calculator: string;
  readonly given?: Texts;
  readonly fragment?: string;
  readonly stops?: Readonly<Record<string, number>>;
  readonly python?: readonly string[];
  readonly slice_ms?: number;
  readonly cursor?: number;
  readonly day?: string;
  readonly measured?: string;
  readonly size?: number;
  readonly pieces?: number;
  readonly imported?: string;
  readonly record?: RecordWanted;
  readonly review?: Texts;
  readonly states?: readonly string[];
  readonly provisional?: boolean;
  readonly own?: boolean;
  readonly number?: number;
  readonly since?: number;
}

/** Verdict: level, state word, and reason with numbers. */
export interface Judgement {
  readonly level: Level;
  readonly word: string;
  readonly reason: string;
}

/** State of one control: text of its box, origin and text of its value, stop of its slider. */
export interface Control {
  readonly box: string;
  readonly origin: string;
  readonly word: string;
  readonly note: string;
  readonly text: string;
  readonly stop?: number;
}

/** Difference from the default: name of an input or preset, and a phrase. */
export interface Difference {
  readonly name: string;
  readonly text: string;
}

/** Effect of one input's range on the first headline: texts, and positions of its bar. */
export interface Swing {
  readonly name: string;
  readonly label: string;
  readonly hedge: string;
  readonly result: string;
  readonly x: string;
  readonly width: string;
  readonly now: string;
}

/** Recommendation: the change, its outcome, and texts of the inputs after it. */
export interface Advice {
  readonly label: string;
  readonly outcome: string;
  readonly changes: Texts;
  readonly parts?: Texts;
}

/** Result of a pasted file that replaces a menu's record. */
export interface Imported {
  readonly problem: string;
  readonly sentence: string;
  readonly remarks: readonly string[];
  readonly strip: string;
  readonly parts: readonly Texts[];
  readonly changes: Texts;
}

/** Curves of the model, if it draws any, and a measured run where one was pasted. */
export interface Compared {
  readonly curves: Readonly<Record<string, Texts>>;
  readonly problem: string;
  readonly sentence: string;
  readonly rows: readonly Texts[];
  readonly causes: readonly Texts[];
}

/** Own facts in use: what was read, what could not be, and own records (keys and names) by menu of a calculator. */
export interface OwnFacts {
  readonly named: readonly string[];
  readonly problems: readonly string[];
  readonly menus: Readonly<Record<string, Texts>>;
}

/** Bids side by side: problems, a sentence, texts by cell ("a.price", "a.residual.assumed"), the table as CSV. */
export interface Offers {
  readonly problems: readonly string[];
  readonly sentence: string;
  readonly cells: Texts;
  readonly csv: string;
}

/** Section of a record: texts, a list if `listed`, a table, and drawings in SVG next to it. */
export interface Section {
  readonly key: string;
  readonly heading: string;
  readonly texts: readonly string[];
  readonly listed: boolean;
  readonly shown_texts: number;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly shown: number;
  readonly more: string;
  readonly drawings?: readonly string[];
}

/** Design record; when whole, also as the text of a file in each format ("md", "json", "csv"). */
export interface Recorded {
  readonly title: string;
  readonly calculator: string;
  readonly day: string;
  readonly version: string;
  readonly link: string;
  readonly sections: readonly Section[];
  readonly files: Texts;
  readonly pending: string;
  readonly named?: Texts;
}

/** Option in a menu of the explore panel: a result (`number` or `verdict`) or an input that may move it. */
export interface Choosable {
  readonly name: string;
  readonly label: string;
  readonly kind: "number" | "verdict" | "quantity" | "choice" | "menu";
  readonly text: string;
  readonly group: string;
  readonly ends?: readonly string[];
}

/** State behind a cell: its worst verdict's level, which state it is in words, and texts of the inputs in it. */
export interface CellOption {
  readonly level: Level | "";
  readonly title: string;
  readonly changes: Texts;
}

/** Row of a table: texts, indexes of cells to mark, and actions. */
export interface Row {
  readonly cells: readonly string[];
  readonly marked: readonly number[];
  readonly changes?: Texts;
  readonly hedge?: string;
  readonly options?: readonly CellOption[];
}

/** Table of the explore panel; `folded`: closed until opened. */
export interface Table {
  readonly title: string;
  readonly folded: boolean;
  readonly heads: readonly string[];
  readonly rows: readonly Row[];
}

/** Exploration as the explore panel shows it, or the `problem` with the request. */
export interface Review {
  readonly problem: string;
  readonly sentences: readonly string[];
  readonly drawing: string;
  readonly tables: readonly Table[];
  readonly notes: readonly string[];
}

/** Response to a page: the requested parts, as far as they could be computed. */
export interface Answer {
  readonly failure?: string;
  readonly since?: number;
  readonly gone?: Readonly<Record<string, readonly string[]>>;
  readonly problems?: Texts;
  readonly given?: Texts;
  readonly notices?: readonly string[];
  readonly controls?: Readonly<Record<string, Control>>;
  readonly presets?: Texts;
  readonly texts?: Texts;
  readonly also?: Texts;
  readonly verdicts?: Readonly<Record<string, Judgement>>;
  readonly picture?: Readonly<Record<string, Texts>>;
  readonly legend?: Texts;
  readonly picture_note?: string;
  readonly python?: Texts;
  readonly warnings?: readonly string[];
  readonly cells?: Texts;
  readonly levels?: Readonly<Record<string, Level>>;
  readonly searching?: boolean;
  readonly progress?: string;
  readonly waiting?: string;
  readonly remarks?: readonly string[];
  readonly sentence?: string;
  readonly link?: string;
  readonly stamped?: string;
  readonly differences?: readonly Difference[];
  readonly groups?: Texts;
  readonly cursor?: number;
  readonly about?: string;
  readonly swings?: readonly Swing[];
  readonly band?: string;
  readonly edges?: Texts;
  readonly likely?: string;
  readonly chart?: string;
  readonly chart_shows?: string;
  readonly tradeoff?: string;
  readonly tradeoff_shows?: string;
  readonly against?: Texts;
  readonly advice?: readonly Advice[];
  readonly idle?: Texts;
  readonly markdown?: string;
  readonly described?: string;
  readonly spreadsheet?: string;
  readonly compared?: Compared;
  readonly imported?: Imported;
  readonly own?: OwnFacts;
  readonly offers?: Offers;
  readonly record?: Recorded;
  readonly results?: readonly Choosable[];
  readonly movable?: readonly Choosable[];
  readonly deciding?: readonly string[];
  readonly review?: Review;
}

/**
 * Requests of the page to calculators/bridge.py, and its responses. Made from calculators/answers/messages.py, which
 * says more of it, by `python -m builder.site.messages`; a change belongs there.
 */

export type Texts = Readonly<Record<string, string>>;

export type Ask = "answer" | "explore" | "link" | "markdown" | "described" | "measured" | "imported" | "record" | "choices" | "solve" | "sweep" | "tornado" | "margins" | "compare";

export type Level = "good" | "tight" | "bad";

/** What the reader says of a record: title, notes, links of alternatives; the day; the address of the calculator. */
export interface RecordWanted {
  readonly title?: string;
  readonly notes?: string;
  readonly alternatives?: readonly string[];
  readonly day?: string;
  readonly address?: string;
}

/** What a page asks. `python` names the formulas to be written as Python; without it, all are. */
export interface Question {
  readonly asks: readonly Ask[];
  readonly calculator: string;
  readonly given?: Texts;
  readonly fragment?: string;
  readonly stops?: Readonly<Record<string, number>>;
  readonly python?: readonly string[];
  readonly slice_ms?: number;
  readonly cursor?: number;
  readonly measured?: string;
  readonly imported?: string;
  readonly record?: RecordWanted;
  readonly review?: Texts;
  readonly states?: readonly string[];
  readonly provisional?: boolean;
  readonly number?: number;
  readonly since?: number;
}

/** A verdict: its level, its word, and its reason with the numbers in it. */
export interface Judgement {
  readonly level: Level;
  readonly word: string;
  readonly reason: string;
}

/** How one control stands: the text of its box, where its value comes from, the value in words, the slider's stop. */
export interface Control {
  readonly box: string;
  readonly origin: string;
  readonly word: string;
  readonly note: string;
  readonly text: string;
  readonly stop?: number;
}

/** What the reader or a link set otherwise than by default: an input's or preset's name, and a whole phrase. */
export interface Difference {
  readonly name: string;
  readonly text: string;
}

/** How far one hedged input moves the first headline: texts, and the places of its bar. */
export interface Swing {
  readonly name: string;
  readonly label: string;
  readonly hedge: string;
  readonly result: string;
  readonly x: string;
  readonly width: string;
  readonly now: string;
}

/** A change that would help: what it is, what comes of it, and the texts of the inputs after it. */
export interface Advice {
  readonly label: string;
  readonly outcome: string;
  readonly changes: Texts;
  readonly parts?: Texts;
}

/** What a pasted file says in place of a menu's record. */
export interface Imported {
  readonly problem: string;
  readonly sentence: string;
  readonly remarks: readonly string[];
  readonly strip: string;
  readonly parts: readonly Texts[];
  readonly changes: Texts;
}

/** The model's curves, and a measured run beside them where one was pasted. */
export interface Compared {
  readonly curves: Readonly<Record<string, Texts>>;
  readonly problem: string;
  readonly sentence: string;
  readonly rows: readonly Texts[];
  readonly causes: readonly Texts[];
}

/** A part of a record: sentences, a list if `listed`, and a table; `said` and `shown` of them stand on the page. */
export interface Section {
  readonly key: string;
  readonly heading: string;
  readonly texts: readonly string[];
  readonly listed: boolean;
  readonly said: number;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly shown: number;
  readonly more: string;
}

/** The record of a review, and the same as the text of a file in each format ("md", "json", "csv"). */
export interface Recorded {
  readonly title: string;
  readonly calculator: string;
  readonly day: string;
  readonly version: string;
  readonly link: string;
  readonly sections: readonly Section[];
  readonly files: Texts;
}

/** Something to choose on the bench: a result (`number` or `verdict`) or what may move it. */
export interface Choosable {
  readonly name: string;
  readonly label: string;
  readonly kind: "number" | "verdict" | "quantity" | "choice" | "menu";
  readonly text: string;
  readonly ends?: readonly string[];
}

/** A row of a table: its texts, the places of those to mark, and what the reader may do with it. */
export interface Row {
  readonly cells: readonly string[];
  readonly marked: readonly number[];
  readonly changes?: Texts;
  readonly hedge?: string;
}

/** A table of the bench; what is `folded` stands behind its title until it is asked for. */
export interface Table {
  readonly title: string;
  readonly folded: boolean;
  readonly heads: readonly string[];
  readonly rows: readonly Row[];
}

/** What the bench shows of one exploration, or the `problem` with what was asked. */
export interface Review {
  readonly problem: string;
  readonly sentences: readonly string[];
  readonly drawing: string;
  readonly tables: readonly Table[];
  readonly notes: readonly string[];
}

/** What a page is told: what it asked for, as far as it could be computed. */
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
  readonly advice?: readonly Advice[];
  readonly idle?: Texts;
  readonly markdown?: string;
  readonly described?: string;
  readonly compared?: Compared;
  readonly imported?: Imported;
  readonly record?: Recorded;
  readonly results?: readonly Choosable[];
  readonly movable?: readonly Choosable[];
  readonly deciding?: readonly string[];
  readonly review?: Review;
}

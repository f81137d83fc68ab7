/** What the page asks of calculators/bridge.py, and what that answers. */

export type Texts = Readonly<Record<string, string>>;

/** How one calculator stands: the reader's own texts or a link's fragment, and sliders at a numbered stop. */
export interface Standing {
  readonly given?: Texts;
  readonly fragment?: string;
  readonly stops?: Readonly<Record<string, number>>;
}

/** What to ask about it. What to "explore" comes after the "answer", in slices. */
export type Ask = "answer" | "explore" | "link" | "markdown";

export interface Question extends Standing {
  readonly asks: readonly Ask[];
  readonly calculator: string;
  /** Of which formulas the page shows the Python, with values in it. */
  readonly python?: readonly string[];
  /** How long a slice of an exploration may take; `cursor` goes on with the one whose slice came with it. */
  readonly slice_ms?: number;
  readonly cursor?: number;
}

export interface Difference {
  readonly name: string;
  readonly text: string;
}

export interface Control {
  readonly box: string;
  readonly origin: string;
  readonly word: string;
  readonly note: string;
  readonly text: string;
  readonly stop?: number;
}

export interface Swing {
  readonly label: string;
  readonly hedge: string;
  readonly result: string;
  readonly x: string;
  readonly width: string;
  readonly now: string;
}

export interface Advice {
  readonly label: string;
  readonly outcome: string;
  readonly changes: Texts;
}

/** The answers to all that was asked, in one. A field is there only where it was asked for and could be computed. */
export interface Answer {
  readonly failure?: string;
  readonly given?: Texts;
  readonly notices?: readonly string[];
  readonly problems?: Texts;
  readonly texts?: Texts;
  readonly also?: Texts;
  readonly verdicts?: Readonly<Record<string, { level: string; word: string; reason: string }>>;
  readonly controls?: Readonly<Record<string, Control>>;
  readonly presets?: Texts;
  readonly picture?: Readonly<Record<string, Texts>>;
  readonly legend?: Texts;
  readonly picture_note?: string;
  readonly python?: Texts;
  readonly warnings?: readonly string[];
  readonly remarks?: readonly string[];
  readonly sentence?: string;
  readonly swings?: readonly Swing[];
  readonly band?: string;
  readonly advice?: readonly Advice[];
  readonly idle?: Texts;
  readonly cursor?: number;
  readonly link?: string;
  readonly stamped?: string;
  readonly differences?: readonly Difference[];
  readonly groups?: Texts;
  readonly markdown?: string;
}

/** What the calculator offers the explore panel, and what the panel offers the calculator. */

import type { ChartPoints } from "../calculator/answer/chart-points";
import type { Pins } from "../calculator/pins/pins";
import type { Answer, Ask, Question, Texts } from "../messages";

export interface Host {
  readonly root: HTMLElement;
  readonly signal: AbortSignal;
  /** The calculator's name, as Python and the tab's storage know it. */
  readonly name: string;
  /** The states that the reader pinned. */
  readonly pins: Pins;
  /** Ask about the present state, slice by slice, until it changes or the same is asked again. */
  explore(ask: Ask, more: Partial<Question>, show: (answer: Answer) => void): void;
  ask(ask: Ask, more: Partial<Question>): Promise<Answer | undefined>;
  /** Set inputs, as one step that can be undone. */
  change(texts: Texts): void;
  /** Open the state of a link, as one step that can be undone. */
  open(link: string): void;
  /** The link to the present state, with the release that computed it. */
  link(): Promise<string | undefined>;
  notify(text: string): void;
  /** The drawing in a text of SVG from Python. */
  drawn(text: string): Element;
  /** The points of charts, which can be moved. */
  readonly points: ChartPoints;
}

export interface ReviewPanel {
  /** A new answer is on the page. */
  answered(answer: Answer): void;
  /** The state changed: what is shown is another's. */
  outdate(): void;
  /** What follows an answer is on the page. */
  renewed(): void;
  open(fold: HTMLDetailsElement): void;
  /** Open the panel next to a result that was clicked. */
  explore(result: string, from: HTMLElement): void;
  /** Compare the pinned states. */
  compare(): void;
  present(): void;
  /** Save a picture of the page as a file. */
  save(figure: HTMLElement, kind: "svg" | "png"): Promise<void>;
  /** Save the table above a button as a file. */
  saveTable(button: HTMLElement): void;
}

/**
 * The way to the bench: what a reader asks of an answer in a design review. Its code is loaded when somebody opens one of
 * its folds, turns a result round, pins a state or presents; until then the page only knows the places to do so.
 */

import type { Answer, Ask, Question, Texts } from "../messages";
import { show, write } from "./writing";

declare const BENCH: string;

/** Results that are turned round where they stand; of a machine's answer too, which leads to no working. */
const TURNED = ".results [data-value], .machine :is(.run, .answer strong) [data-value]";

const NOT_LOADED = "This part could not be loaded; the network may be down. Open it again to try again.";

/** What the calculator does for the bench. */
export interface Host {
  readonly root: HTMLElement;
  readonly signal: AbortSignal;
  /** Its name, as Python and the tab's memory know it. */
  readonly name: string;
  /** Ask of the state as it stands, slice by slice, until it changes or the same is asked again. */
  explore(ask: Ask, more: Partial<Question>, told: (answer: Answer) => void): void;
  ask(ask: Ask, more: Partial<Question>): Promise<Answer | undefined>;
  /** Inputs as texts, as one step that can be undone. */
  change(texts: Texts): void;
  /** Start over from what a link says, as a step that can be undone. */
  read(link: string): void;
  /** What leads to the present state, and to which version of it. */
  link(): Promise<string | undefined>;
  say(text: string): void;
}

/** What the bench does for the calculator. */
export interface Bench {
  /** A new answer stands on the page. */
  answered(answer: Answer): void;
  open(fold: HTMLDetailsElement): void;
  turn(result: string, from: HTMLElement): void;
  pin(): void;
  /** Pin the states that a link brought beside its own, and show them. */
  compare(links: readonly string[]): void;
  present(): void;
}

type Made = { readonly makeBench: (host: Host) => Bench };

export class Door {
  private bench: Bench | undefined;
  private loading: Promise<Bench | undefined> | undefined;

  constructor(private readonly host: Host) {
    const { root, signal } = host;
    this.unfolded();
    for (const fold of root.querySelectorAll<HTMLDetailsElement>("details[data-bench]")) {
      const toggled = (): void => {
        if (fold.open && !matchMedia("print").matches) void this.use((bench) => bench.open(fold));
      };
      fold.addEventListener("toggle", toggled, { signal });
    }
    const deeds = { pin: (bench: Bench) => bench.pin(), present: (bench: Bench) => bench.present() };
    for (const [name, deed] of Object.entries(deeds)) {
      const button = root.querySelector<HTMLElement>(`button[data-bench-action="${name}"]`);
      button?.addEventListener("click", () => void this.use(deed), { signal });
    }
  }

  /** Results may have come to the page. */
  unfolded(): void {
    const { root, signal } = this.host;
    for (const place of root.querySelectorAll<HTMLElement>(TURNED)) {
      if (place.getAttribute("role") === "button") continue;
      const { value = "" } = place.dataset;
      beButton(place, "What would have to be for another value?", signal, () => void this.use((bench) => bench.turn(value, place)));
    }
  }

  answered(answer: Answer): void {
    this.bench?.answered(answer);
  }

  compare(links: readonly string[]): void {
    void this.use((bench) => bench.compare(links));
  }

  private async use(deed: (bench: Bench) => void): Promise<void> {
    this.loading ??= this.load();
    const bench = await this.loading;
    if (bench && !this.host.signal.aborted) deed(bench);
  }

  private async load(): Promise<Bench | undefined> {
    const place = this.host.root.querySelector<HTMLElement>("[data-bench-problem]");
    try {
      const made = (await import(new URL(BENCH, import.meta.url).href)) as Made;
      show(place, false);
      this.bench = made.makeBench(this.host);
      return this.bench;
    } catch {
      this.loading = undefined;
      if (place) write(place, NOT_LOADED);
      show(place, true);
      this.host.say(NOT_LOADED);
      return undefined;
    }
  }
}

/** Let a text that stands in a sentence or a table be used like a button, without moving what surrounds it. */
export function beButton(place: HTMLElement, title: string, signal: AbortSignal, used: () => void): void {
  place.setAttribute("role", "button");
  place.tabIndex = 0;
  place.title = title;
  place.addEventListener("click", used, { signal });
  const pressed = (event: KeyboardEvent): void => {
    if (event.target !== place || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    used();
  };
  place.addEventListener("keydown", pressed, { signal });
}

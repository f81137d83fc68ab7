/**
 * The bench: turn an answer round, sweep it, rank what moves it, compare states. Loaded when somebody opens it. What it
 * shows are sentences, tables and drawings that Python sends finished; here are the places where a reader chooses.
 */

import type { Bench, Host } from "../calculator/door";
import type { Answer, Choosable } from "../messages";
import { CompareView } from "./compare";
import { MarginsView } from "./margins";
import { Pins } from "./pins";
import { Present } from "./present";
import { SolveView } from "./solve";
import { SweepView } from "./sweep";
import { TornadoView } from "./tornado";
import type { View } from "./view";

/** What there is to choose on this calculator. */
export interface Choices {
  readonly about: string;
  readonly results: readonly Choosable[];
  readonly movable: readonly Choosable[];
}

export function makeBench(host: Host): Bench {
  const pins = new Pins(host);
  const views = new Map<string, View>();
  const makers: Record<string, (fold: HTMLElement, choices: Choices) => View> = {
    solve: (fold, choices) => new SolveView(host, fold, choices),
    sweep: (fold, choices) => new SweepView(host, fold, choices),
    tornado: (fold, choices) => new TornadoView(host, fold, choices),
    margins: (fold) => new MarginsView(host, fold),
    compare: (fold, choices) => new CompareView(host, fold, choices, pins),
  };
  let known: Promise<Choices | undefined> | undefined;
  const choices = (): Promise<Choices | undefined> => {
    known ??= host.ask("bench", {}).then(({ about, results, movable } = {}) => {
      if (about !== undefined && results && movable) return { about, results, movable };
      known = undefined; // an input is wrong, or something else was asked meanwhile: ask again when it is wanted
      return undefined;
    });
    return known;
  };
  const viewOf = async (fold: HTMLDetailsElement): Promise<View | undefined> => {
    const kind = fold.dataset["bench"] ?? "";
    if (!views.has(kind)) {
      const found = await choices();
      const made = found && !views.has(kind) && makers[kind]?.(fold, found);
      if (made) views.set(kind, made);
    }
    return views.get(kind);
  };
  const foldOf = (kind: string): HTMLDetailsElement | null =>
    host.root.querySelector<HTMLDetailsElement>(`details[data-bench="${kind}"]`);
  const opened = async (kind: string): Promise<View | undefined> => {
    const fold = foldOf(kind);
    if (!fold) return undefined;
    fold.open = true;
    return viewOf(fold);
  };
  /** What was opened while an input was wrong is filled once none is. */
  const fillOpened = (): void => {
    for (const fold of host.root.querySelectorAll<HTMLDetailsElement>("details[data-bench][open]")) {
      if (!views.has(fold.dataset["bench"] ?? "")) void viewOf(fold).then((view) => view?.refresh());
    }
  };
  const present = new Present(host, choices);
  return {
    answered: (answer: Answer): void => {
      for (const view of views.values()) view.answered(answer);
      if (answer.texts) fillOpened();
      present.answered();
    },
    open: (fold) => void viewOf(fold).then((view) => view?.refresh()),
    turn: (result, from) =>
      void opened("solve").then((view) => view instanceof SolveView && view.turn(result, from)),
    pin: () => void pins.add().then(() => opened("compare")).then((view) => view?.refresh()),
    compare: (links) => {
      pins.keep(links);
      void opened("compare").then((view) => view?.refresh());
    },
    present: () => void present.open(),
  };
}

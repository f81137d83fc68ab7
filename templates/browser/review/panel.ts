/**
 * The explore panel: solve, sweep, heat map, sensitivity, margins, compare. Loaded when a reader first opens part of it. Sentences,
 * tables and drawings come finished from Python; this offers the menus and boxes to choose with.
 */

import type { Answer } from "../messages";
import { save } from "../records/files";
import { Placement } from "./placement";
import type { Choices } from "./choices";
import { CompareView } from "./compare";
import type { Host, ReviewPanel } from "./host";
import { csvOf, pngOf, svgOf, tableAbove } from "./export";
import { MapView } from "./map";
import { MarginsView } from "./margins";
import { Presentation } from "./presentation";
import { svgOfRows } from "./rows";
import { SolveView } from "./solve";
import { SweepView } from "./sweep";
import { TornadoView } from "./tornado";
import type { View } from "./view";

export function reviewPanel(host: Host): ReviewPanel {
  const placement = new Placement(host.root, host.signal);
  const views = new Map<string, View>();
  let about: string | undefined; // the result that was clicked last
  const makers: Record<string, (fold: HTMLElement, choices: Choices) => View> = {
    solve: (fold, choices) => new SolveView(host, fold, choices),
    sweep: (fold, choices) => new SweepView(host, fold, choices),
    map: (fold, choices) => new MapView(host, fold, choices),
    tornado: (fold, choices) => new TornadoView(host, fold, choices),
    compare: (fold, choices) => new CompareView(host, fold, choices),
  };
  let known: Promise<Choices | undefined> | undefined;
  const choices = (): Promise<Choices | undefined> => {
    known ??= host.ask("choices", {}).then(({ about, results, movable } = {}) => {
      if (about !== undefined && results && movable) return { about, results, movable };
      known = undefined; // an input is invalid, or a newer question came first: ask again next time
      return undefined;
    });
    return known;
  };
  const viewOf = async (fold: HTMLDetailsElement): Promise<View | undefined> => {
    const kind = fold.dataset["review"] ?? "";
    // Its menus, whose order may need searches, do not delay readers who choose nothing.
    if (kind === "margins" && !views.has(kind)) views.set(kind, new MarginsView(host, fold));
    if (!views.has(kind)) {
      const found = await choices();
      const view = found && !views.has(kind) && makers[kind]?.(fold, { ...found, ...(about !== undefined && { about }) });
      if (view) views.set(kind, view);
    }
    return views.get(kind);
  };
  const opened = async (kind: string): Promise<View | undefined> => {
    const fold = host.root.querySelector<HTMLDetailsElement>(`details[data-review="${kind}"]`);
    if (!fold) return undefined;
    fold.open = true;
    return viewOf(fold);
  };
  /** A fold that was opened while an input was invalid is filled once none is. */
  const fillOpened = (): void => {
    for (const fold of host.root.querySelectorAll<HTMLDetailsElement>("details[data-review][open]")) {
      if (!views.has(fold.dataset["review"] ?? "")) void viewOf(fold).then((view) => view?.refresh());
    }
  };
  const presentation = new Presentation(host, choices);
  return {
    answered: (answer: Answer): void => {
      for (const view of views.values()) view.answered(answer);
      if (answer.texts) fillOpened();
      presentation.answered();
    },
    outdate: (): void => {
      for (const view of views.values()) view.outdate();
    },
    renewed: (): void => presentation.answered(),
    open: (fold) => void viewOf(fold).then((view) => view?.refresh()),
    explore: (result, from) => {
      about = result;
      for (const view of views.values()) view.choose(result);
      placement.bring(from, result);
      void opened("solve").then((view) => view instanceof SolveView && view.solveFor(result, from));
    },
    compare: () => void opened("compare").then((view) => view?.refresh()),
    present: () => void presentation.open(),
    save: async (figure, kind) => {
      const chart = figure.querySelector<SVGSVGElement>("wide-figure svg");
      if (!chart && figure.querySelector("wide-figure")) return host.notify("There is no chart for these inputs");
      const said = figure.querySelector(".picture-rows") ? host.root.querySelector(".answer") : figure.querySelector("figcaption");
      const shows = said?.textContent?.replace(/\s+/g, " ").trim() ?? "";
      const drawn = chart ? svgOf(chart, shows) : svgOfRows(figure, shows);
      const content = kind === "png" ? await pngOf(drawn) : drawn;
      if (content) save(`${host.name.replaceAll("_", "-")}-${figure.className || "chart"}.${kind}`, content);
    },
    saveTable: (button) => {
      const table = tableAbove(button);
      const part = table.title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
      save(`${host.name.replaceAll("_", "-")}-${part}.csv`, csvOf([table]), "text/csv");
    },
  };
}

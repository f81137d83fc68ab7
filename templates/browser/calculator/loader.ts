/**
 * Loads the explore panel when a reader first opens one of its folds, clicks a result or presents. Until
 * then the page only knows where to click.
 */

import type { Answer } from "../messages";
import type { Host, ReviewPanel } from "../review/host";
import { actAsButton } from "./answer/button";
import { show, write } from "./answer/dom";

declare const REVIEW: string;

/** Results to which the explore panel moves when clicked. */
const RESULTS = ".results [data-value], .machine :is(.run, .answer strong) [data-value], .machine .answer .result-value";
/** The same in the sentence of a calculator, where without this script they are links to their working. */
const LINKED = ".answer a.to-working";
const EXPLORE = "Explore: what gives another value, along which input it moves, what moves it most";

const NOT_LOADED = "This part of the page could not be loaded. Check the network, then open it again.";

type Module = { readonly reviewPanel: (host: Host) => ReviewPanel };

export class ReviewLoader {
  private panel: ReviewPanel | undefined;
  private loading: Promise<ReviewPanel | undefined> | undefined;

  constructor(private readonly host: Host) {
    const { root, signal } = host;
    this.unfolded();
    for (const anchor of root.querySelectorAll<HTMLAnchorElement>(LINKED)) {
      anchor.title = EXPLORE;
      anchor.dataset["explore"] = ""; // page/navigation.ts leaves it alone
      const clicked = (event: MouseEvent): void => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        event.stopPropagation(); // the theme would go to the anchor
        this.explore(anchor.hash.replace("#how-", ""), anchor);
      };
      anchor.addEventListener("click", clicked, { signal });
    }
    for (const fold of root.querySelectorAll<HTMLDetailsElement>("details[data-review]")) {
      const toggled = (): void => {
        if (fold.open && !matchMedia("print").matches) void this.use((panel) => panel.open(fold));
      };
      fold.addEventListener("toggle", toggled, { signal });
    }
    for (const button of root.querySelectorAll<HTMLElement>("button[data-picture]")) {
      const figure = button.closest("figure") ?? root.querySelector<HTMLElement>("figure.picture");
      const kind = button.dataset["picture"] === "png" ? "png" : "svg";
      button.addEventListener("click", () => figure && void this.use((panel) => void panel.save(figure, kind)), { signal });
    }
    for (const button of root.querySelectorAll<HTMLElement>("button[data-table]")) {
      button.addEventListener("click", () => void this.use((panel) => panel.saveTable(button)), { signal });
    }
    const present = root.querySelector<HTMLElement>("button[data-present]");
    present?.addEventListener("click", () => void this.use((panel) => panel.present()), { signal });
  }

  /** Part of the page was unfolded and may have added results. */
  unfolded(): void {
    const { root, signal } = this.host;
    for (const element of root.querySelectorAll<HTMLElement>(RESULTS)) {
      if (element.getAttribute("role") === "button") continue;
      actAsButton(element, EXPLORE, signal, () => this.explore(element.dataset["value"] ?? "", element));
    }
  }

  private explore(result: string, from: HTMLElement): void {
    void this.use((panel) => panel.explore(result, from));
  }

  answered(answer: Answer): void {
    this.panel?.answered(answer);
  }

  /** The state changed. */
  outdate(): void {
    this.panel?.outdate();
  }

  /** What follows the answer is on the page. */
  renewed(): void {
    this.panel?.renewed();
  }

  compare(): void {
    void this.use((panel) => panel.compare());
  }

  private async use(action: (panel: ReviewPanel) => void): Promise<void> {
    this.loading ??= this.load();
    const panel = await this.loading;
    if (panel && !this.host.signal.aborted) action(panel);
  }

  private async load(): Promise<ReviewPanel | undefined> {
    const problem = this.host.root.querySelector<HTMLElement>("[data-review-problem]");
    try {
      const module = (await import(new URL(REVIEW, import.meta.url).href)) as Module;
      show(problem, false);
      this.panel = module.reviewPanel(this.host);
      return this.panel;
    } catch {
      this.loading = undefined;
      if (problem) write(problem, NOT_LOADED);
      show(problem, true);
      this.host.notify(NOT_LOADED);
      return undefined;
    }
  }
}

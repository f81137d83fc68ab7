/**
 * Loads the explore panel when a reader first opens one of its folds, clicks a result, pins a state or presents. Until
 * then the page only knows where to click.
 */

import type { Answer } from "../messages";
import type { Host, ReviewPanel } from "../review/host";
import { actAsButton } from "./button";
import { show, write } from "./dom";

declare const REVIEW: string;

/** Results that open Solve when clicked; on a system's page also those of the answer, which has no working to lead to. */
const SOLVABLE = ".results [data-value], .machine :is(.run, .answer strong) [data-value]";

const NOT_LOADED = "This part of the page could not be loaded. Check the network, then open it again.";

type Module = { readonly reviewPanel: (host: Host) => ReviewPanel };

export class ReviewLoader {
  private panel: ReviewPanel | undefined;
  private loading: Promise<ReviewPanel | undefined> | undefined;

  constructor(private readonly host: Host) {
    const { root, signal } = host;
    this.unfolded();
    for (const fold of root.querySelectorAll<HTMLDetailsElement>("details[data-review]")) {
      const toggled = (): void => {
        if (fold.open && !matchMedia("print").matches) void this.use((panel) => panel.open(fold));
      };
      fold.addEventListener("toggle", toggled, { signal });
    }
    const actions = { pin: (panel: ReviewPanel) => panel.pin(), present: (panel: ReviewPanel) => panel.present() };
    for (const [name, action] of Object.entries(actions)) {
      const button = root.querySelector<HTMLElement>(`button[data-review-action="${name}"]`);
      button?.addEventListener("click", () => void this.use(action), { signal });
    }
  }

  /** Part of the page was unfolded and may have brought results. */
  unfolded(): void {
    const { root, signal } = this.host;
    for (const element of root.querySelectorAll<HTMLElement>(SOLVABLE)) {
      if (element.getAttribute("role") === "button") continue;
      const { value = "" } = element.dataset;
      actAsButton(element, "Solve: which input gives another value?", signal, () => void this.use((panel) => panel.solveFor(value, element)));
    }
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

  compare(links: readonly string[]): void {
    void this.use((panel) => panel.compare(links));
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

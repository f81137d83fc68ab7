/** How far each input can move before a verdict changes: there is nothing to choose. */

import type { Question } from "../messages";
import type { Host } from "./host";
import { View } from "./view";

export class MarginsView extends View {
  constructor(host: Host, fold: HTMLElement) {
    super(host, fold, "margins");
  }

  protected override question(): Partial<Question> {
    return {};
  }
}

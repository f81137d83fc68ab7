/** Of every verdict what each input may become before it changes: there is nothing to choose. */

import type { Host } from "../calculator/door";
import type { Question } from "../messages";
import { View } from "./view";

export class MarginsView extends View {
  constructor(host: Host, fold: HTMLElement) {
    super(host, fold, "margins");
  }

  protected override question(): Partial<Question> {
    return {};
  }
}

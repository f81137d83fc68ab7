/** What the reader pastes or drops on the page: a measurement to compare with the model, a model's configuration file. */

import type { Answer, Ask, Question, Texts } from "../../messages";
import { ImportedModel } from "./imported-model";
import { Measurement } from "./measurement";
import type { State } from "../state";

export interface PasteHost {
  /** Ask about the present state, with what was pasted. */
  readonly ask: (ask: Ask, more: Partial<Question>) => Promise<Answer | undefined>;
  readonly change: (texts: Texts) => void;
  readonly announce: (text: string) => void;
}

export class Pasted {
  private readonly measurement: Measurement;
  private readonly model: ImportedModel;

  constructor(
    private readonly root: HTMLElement,
    private readonly state: State,
    private readonly host: PasteHost,
    signal: AbortSignal,
  ) {
    this.measurement = new Measurement(root);
    this.model = new ImportedModel(root);
    this.measurement.listen(() => void this.compare(), signal);
    this.model.listen(() => void this.import(), signal);
  }

  /** The state changed: the model's curves are still to come. */
  outdate(): void {
    this.measurement.outdate();
  }

  /** Nothing changed for a moment: draw the curves of this state. */
  rested(): void {
    if (this.measurement.isShown) void this.measure();
  }

  /** Draw the model's curves for the present state, with the measurement that the reader pasted. */
  private async measure(): Promise<Answer | undefined> {
    const { version } = this.state;
    const answer = await this.host.ask("measured", { measured: this.measurement.pasted });
    if (!answer || version !== this.state.version || !this.root.isConnected) return undefined;
    this.measurement.show(answer);
    return answer;
  }

  /** Compare the pasted measurement with the model, and announce the result. */
  private async compare(): Promise<void> {
    const compared = (await this.measure())?.compared;
    if (compared) this.host.announce(compared.problem || compared.sentence);
  }

  /** Fill in the inputs from the file that the reader gave, as one step that can be undone. */
  private async import(): Promise<void> {
    const { text } = this.model;
    const answer = await this.host.ask("imported", { imported: text });
    if (!answer || text !== this.model.text || !this.root.isConnected) return;
    const changes = this.model.show(answer);
    if (changes) this.host.change(changes);
    const { imported } = answer;
    if (imported) this.host.announce(imported.problem || imported.sentence);
  }
}

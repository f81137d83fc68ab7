/** What the reader pastes or drops on the page: a measurement to compare with the model, a model's configuration file. */

import type { Engine } from "../../engine/engine";
import type { Answer, Ask, Question, Texts } from "../../messages";
import { ImportedModel } from "./imported-model";
import { LongFile } from "./long-file";
import { Measurement } from "./measurement";
import type { State } from "../state";

export interface PasteHost {
  /** Ask about the present state, with what was pasted. */
  readonly ask: (ask: Ask, more: Partial<Question>) => Promise<Answer | undefined>;
  /** The question about the present state. */
  readonly question: (ask: Ask) => Question;
  readonly engine: Engine;
  readonly change: (texts: Texts) => void;
  readonly announce: (text: string) => void;
}

export class Pasted {
  private readonly measurement: Measurement;
  private readonly model: ImportedModel;
  private long: LongFile | undefined;
  private isAnnounced = true; // none is given

  constructor(
    private readonly root: HTMLElement,
    private readonly state: State,
    private readonly host: PasteHost,
    signal: AbortSignal,
  ) {
    this.measurement = new Measurement(root);
    this.model = new ImportedModel(root);
    this.measurement.source?.listen(() => this.given(), signal);
    signal.addEventListener("abort", () => this.long?.end());
    this.model.listen(() => void this.import(), signal);
  }

  /** The state changed: the model's curves are still to come. */
  outdate(): void {
    this.measurement.outdate();
  }

  /** Nothing changed for a moment: draw the curves of this state. */
  rested(): void {
    if (this.measurement.source) void this.measure();
  }

  /** The text or the file is another one: a file of that length is read by a Python of its own. */
  private given(): void {
    const { source } = this.measurement;
    const { file } = source ?? {};
    this.long?.end();
    this.long = undefined;
    if (source && file) {
      const { announce, engine } = this.host;
      announce(`Reading ${file.name}`);
      this.long = new LongFile(file, this.host.question("file").calculator, engine, (text) => source.say(text), announce);
    }
    this.isAnnounced = false;
    void this.measure();
  }

  /** Draw the model's curves for the present state, with the measurement that the reader gave. */
  private async measure(): Promise<void> {
    const { version } = this.state;
    const { long } = this;
    const text = long ? "" : (this.measurement.source?.text ?? "");
    // While a file is read, the curves alone.
    if (!long?.isRead) {
      const answer = await this.host.ask("measured", { measured: text, size: long?.size ?? 0 });
      if (!this.isPresent(version, long) || !answer) return;
      this.measurement.show(answer);
      if (!long || answer.compared?.problem) return this.announce(answer);
    }
    const answer = await long.compare(this.host.question("file"));
    if (!answer || !this.isPresent(version, long)) return;
    this.measurement.show(answer);
    this.announce(answer);
  }

  private isPresent(version: number, long: LongFile | undefined): boolean {
    return version === this.state.version && long === this.long && this.root.isConnected;
  }

  /** Announce how a measurement compares, once: not again for every state that it is shown next to. */
  private announce({ compared }: Answer): void {
    if (this.isAnnounced || !compared) return;
    this.isAnnounced = true;
    this.host.announce(compared.problem || compared.sentence);
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

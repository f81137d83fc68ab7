/**
 * A long file of the reader's own. A second Python reads it, piece by piece, while the first one answers the page; it
 * ends, with all its memory, when the file is removed or the page is left.
 */

import type { Engine } from "../../engine/engine";
import type { Answer, Question } from "../../messages";

const PIECE_BYTES = 1 << 20;
const SLICE_MS = 50;

export class LongFile {
  /** Whether it was compared with a state already. */
  isRead = false;
  private readonly engine: Engine;
  private readonly failed: Promise<undefined>;
  private sent: Promise<number | undefined> | undefined;
  private isWanted = true;

  /** `say` hears how far loading and reading are, `announce` why that failed. */
  constructor(
    private readonly file: File,
    private readonly calculator: string,
    engine: Engine,
    private readonly say: (progress: string) => void,
    announce: (reason: string) => void,
  ) {
    this.engine = engine.plainly();
    this.failed = new Promise((settle) => {
      this.engine.addEventListener("change", () => {
        if (this.engine.state !== "failed") return;
        say(this.engine.reason);
        announce(this.engine.reason);
        settle(undefined);
      });
    });
  }

  /** In bytes. */
  get size(): number {
    return this.file.size;
  }

  /** The run next to the state of a question; undefined where the file was removed or a newer state is asked about. */
  async compare(question: Question): Promise<Answer | undefined> {
    const pieces = await (this.sent ??= this.send());
    if (pieces === undefined) return undefined;
    let answer = await this.ask({ ...question, pieces, slice_ms: SLICE_MS });
    while (answer?.waiting) {
      this.say(answer.waiting);
      if (answer.cursor === undefined) break;
      answer = await this.ask({ ...question, pieces, slice_ms: SLICE_MS, cursor: answer.cursor });
    }
    if (!answer) return undefined;
    this.isRead = true;
    this.say(answer.progress ?? "");
    return answer;
  }

  /** Stop reading, and give its memory back. */
  end(): void {
    this.isWanted = false;
    this.engine.end();
  }

  /** Send every piece; returns how many, or undefined where the file is not wanted any more. */
  private async send(): Promise<number | undefined> {
    const { size } = this.file;
    const decoder = new TextDecoder();
    let pieces = 0;
    for (let from = 0; from < size; from += PIECE_BYTES) {
      const bytes = await this.file.slice(from, from + PIECE_BYTES).arrayBuffer();
      const measured = decoder.decode(bytes, { stream: from + PIECE_BYTES < size });
      const answer = await this.ask({ asks: ["piece"], calculator: this.calculator, measured, size, pieces });
      if (!answer) return undefined;
      pieces += 1;
      this.say(answer.waiting ?? "");
    }
    return pieces;
  }

  private async ask(question: Question): Promise<Answer | undefined> {
    const answer = this.isWanted ? await Promise.race([this.engine.ask(this, question), this.failed]) : undefined;
    return this.isWanted ? answer : undefined;
  }
}

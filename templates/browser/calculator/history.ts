/** Earlier and later states, for Undo and Redo. */

const MOST_STEPS = 200;
// Moves of one control are one step until it is released, and after that when they follow closely: a drag, a typed word,
// a repeated arrow key.
const ONE_STEP_MS = 1000;

export class History<State> {
  private past: State[] = [];
  private future: State[] = [];
  private about = "";
  private movedAt = -Infinity;
  private isReleased = true;

  /** Record the present state, right before a change `about` something; without a name, the change is its own step. */
  record(state: State, about = ""): void {
    const now = performance.now();
    const isSoon = !this.isReleased || now - this.movedAt < ONE_STEP_MS;
    const isContinued = about !== "" && about === this.about && isSoon;
    this.about = about;
    this.movedAt = now;
    this.isReleased = false;
    if (isContinued) return;
    this.past = [...this.past, state].slice(-MOST_STEPS);
    this.future = [];
  }

  /** The control that moved last was released. */
  release(): void {
    this.isReleased = true;
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  /** The state a step ago; `present` is kept for Redo. */
  undo(present: State): State | undefined {
    const before = this.past.pop();
    if (before !== undefined) this.future.push(present);
    this.about = "";
    return before;
  }

  redo(present: State): State | undefined {
    const after = this.future.pop();
    if (after !== undefined) this.past.push(present);
    this.about = "";
    return after;
  }
}

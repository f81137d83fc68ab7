/** What came before and after, for Undo and Redo: as many steps as anybody goes back. */

const MOST_STEPS = 200;
// Moves of one control are one step until it is let go, and beyond that when they follow each other closely: a drag, a
// word typed, an arrow key pressed again and again.
const ONE_STEP_MS = 1000;

export class History<Kept> {
  private past: Kept[] = [];
  private future: Kept[] = [];
  private about = "";
  private movedAt = -Infinity;
  private isLetGo = true;

  /** Remember how it stands, right before a change `about` something; without a name, the change is a step of its own. */
  before(kept: Kept, about = ""): void {
    const now = performance.now();
    const isSoon = !this.isLetGo || now - this.movedAt < ONE_STEP_MS;
    const goesOn = about !== "" && about === this.about && isSoon;
    this.about = about;
    this.movedAt = now;
    this.isLetGo = false;
    if (goesOn) return;
    this.past = [...this.past, kept].slice(-MOST_STEPS);
    this.future = [];
  }

  /** The control that moved last was let go. */
  letGo(): void {
    this.isLetGo = true;
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  /** How it stood a step ago; `present` can then be had back. */
  undo(present: Kept): Kept | undefined {
    const before = this.past.pop();
    if (before !== undefined) this.future.push(present);
    this.about = "";
    return before;
  }

  redo(present: Kept): Kept | undefined {
    const after = this.future.pop();
    if (after !== undefined) this.past.push(present);
    this.about = "";
    return after;
  }
}

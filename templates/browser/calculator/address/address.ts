/** The address of the state: the link to it, also in the browser's address bar and in links to other pages. */

import type { Answer } from "../../messages";
import type { Differences } from "../inputs/differences";
import { addressOf, type Permalink } from "./permalink";
import { storedPins } from "../pins/pin-storage";
import { RelatedLinks } from "./related";
import type { State } from "../state";
import { Trail } from "./trail";

export class Address {
  private readonly trail: Trail;
  private readonly related: RelatedLinks;
  private fromLink = false; // the state came from the address, which need not be written
  private isDue = false; // the address does not hold the state yet

  constructor(
    private readonly root: HTMLElement,
    private readonly name: string,
    private readonly permalink: Permalink | undefined,
    private readonly state: State,
    private readonly differences: Differences,
    /** Ask for a link that carries these other states. */
    private readonly ask: (states: readonly string[]) => Promise<Answer | undefined>,
  ) {
    this.trail = new Trail(name);
    this.related = new RelatedLinks(root, this.trail);
  }

  get isOfLink(): boolean {
    return this.fromLink;
  }

  changed(): void {
    this.fromLink = false;
    this.isDue = true;
  }

  /** The state is now that of a link. */
  opened(fragment: string): void {
    this.trail.read(fragment);
    this.fromLink = true;
    this.isDue = false;
  }

  clear(): void {
    this.trail.clear();
  }

  /** Write the state into the address and into the links to other pages; returns the link to it. */
  async link(): Promise<string | undefined> {
    const stamped = await this.stamped(storedPins(this.name));
    return stamped && addressOf(stamped);
  }

  /** A link to copy, of the state when it was asked for, that carries these other states. */
  async stamped(states: readonly string[]): Promise<string | undefined> {
    const { version } = this.state;
    const answer = (await this.ask(states)) ?? {};
    const { link, stamped } = answer;
    if (link === undefined || !this.root.isConnected) return undefined;
    if (version === this.state.version) {
      this.differences.show(answer);
      this.publish(link);
    }
    return stamped ?? link;
  }

  /** The reader leaves before the page came to rest: the state must be in the address for the way back. */
  left(): void {
    if (this.isDue) this.publish(this.state.fragmentText);
  }

  private publish(link: string): void {
    if (!this.fromLink) this.permalink?.write(link && link + this.trail.suffix);
    this.related.update(link);
    this.isDue = false;
  }
}

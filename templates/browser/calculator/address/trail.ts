/** The calculators that a reader came through: their inputs travel along in links (calculators/page/incoming_link.py). */

const FROM = "from";
const WITH = "with"; // the keys in a link (calculators/answers/links.py)
const MOST = 3;
const LONGEST = 4000; // of a link that holds 8,000

export class Trail {
  /** The ends of the links that led from one calculator to the next, the last one first. */
  private links: readonly string[] = [];

  constructor(private readonly calculator: string) {}

  /** Read a link's own origin, and the ones before it. */
  read(fragment: string): void {
    const [own = ""] = fragment.split(`&${WITH}=`, 1);
    const latest = this.isElsewhere(own) ? [own] : [];
    const earlier = new URLSearchParams(fragment).getAll(WITH).filter((link) => this.isElsewhere(link));
    const found = new Map([...latest, ...earlier].reverse().map((link) => [originOf(link), link])); // the last of each
    this.links = [...found.values()].reverse().slice(0, MOST);
  }

  clear(): void {
    this.links = [];
  }

  /** The end to put behind a link; only as much as a link can hold. */
  get suffix(): string {
    let text = "";
    for (const link of this.links) {
      const more = `&${WITH}=${encodeURIComponent(link)}`;
      if (text.length + more.length > LONGEST) break;
      text += more;
    }
    return text;
  }

  private isElsewhere(link: string): boolean {
    const origin = originOf(link);
    return origin !== "" && origin !== this.calculator;
  }
}

function originOf(link: string): string {
  return new URLSearchParams(link).get(FROM) ?? "";
}

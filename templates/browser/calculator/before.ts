/** Where the reader was before: what this page does not ask for goes along to one that does (calculators/page/incoming_link.py). */

const FROM = "from";
const WITH = "with"; // the keys in a link (calculators/answers/links.py)
const MOST = 3;
const LONGEST = 4000; // of a link that holds 8,000

export class Before {
  /** Each the end of a link that led from a calculator to the next, the last one first. */
  private ways: readonly string[] = [];

  constructor(private readonly calculator: string) {}

  /** What a link brings: the way by which the reader came, and those before it. */
  read(fragment: string): void {
    const [own = ""] = fragment.split(`&${WITH}=`, 1);
    const came = this.isElsewhere(own) ? [own] : [];
    const earlier = new URLSearchParams(fragment).getAll(WITH).filter((way) => this.isElsewhere(way));
    const found = new Map([...came, ...earlier].reverse().map((way) => [originOf(way), way])); // the last of each
    this.ways = [...found.values()].reverse().slice(0, MOST);
  }

  forget(): void {
    this.ways = [];
  }

  /** They, to stand behind a link; only as many as it can hold. */
  get behind(): string {
    let text = "";
    for (const way of this.ways) {
      const more = `&${WITH}=${encodeURIComponent(way)}`;
      if (text.length + more.length > LONGEST) break;
      text += more;
    }
    return text;
  }

  private isElsewhere(way: string): boolean {
    const origin = originOf(way);
    return origin !== "" && origin !== this.calculator;
  }
}

function originOf(way: string): string {
  return new URLSearchParams(way).get(FROM) ?? "";
}

/** <numbers-finder>: hides the lines that do not match the search, and opens the groups of those that do. */

interface Line {
  readonly item: HTMLElement;
  readonly text: string;
  readonly marks: readonly string[];
}

class NumbersFinder extends HTMLElement {
  #lines = new Map<HTMLDetailsElement, Line[]>();

  connectedCallback(): void {
    const form = this.querySelector("form");
    if (!form) return;
    for (const group of this.querySelectorAll("details")) {
      const subject = group.querySelector(".numbers-subject")?.textContent ?? "";
      this.#lines.set(group, [...group.querySelectorAll("li")].map((item) => line(item, subject)));
    }
    form.hidden = false;
    form.addEventListener("input", () => this.#find(form));
    form.addEventListener("submit", (event) => event.preventDefault());
    this.#find(form); // a browser that goes back keeps the typed words
  }

  #find(form: HTMLFormElement): void {
    const given = new FormData(form);
    const words = value(given, "words").toLowerCase().split(/\s+/).filter(Boolean);
    const marks = [value(given, "kind"), value(given, "read")].filter(Boolean);
    const asked = words.length + marks.length > 0;
    let all = 0;
    let found = 0;
    for (const [group, lines] of this.#lines) {
      let here = 0;
      for (const { item, text, marks: has } of lines) {
        const fits = words.every((word) => text.includes(word)) && marks.every((mark) => has.includes(mark));
        item.hidden = !fits;
        if (fits) here += 1;
      }
      group.hidden = here === 0;
      if (asked || this.#wasAsked) group.open = asked;
      const count = group.querySelector(".numbers-found");
      if (count) count.textContent = asked ? `${here} of ` : "";
      found += here;
      all += lines.length;
    }
    this.#wasAsked = asked;
    const count = form.querySelector("output");
    if (count) count.textContent = asked ? `${written(found)} of ${written(all)}` : `${written(all)} in total`;
  }

  /** Whether the last search had words: only then does an empty search close the groups. */
  #wasAsked = false;
}

const written = (count: number): string => count.toLocaleString("en");

function line(item: HTMLElement, subject: string): Line {
  const text = `${subject} ${item.id} ${item.textContent ?? ""}`;
  return { item, text: text.toLowerCase().replaceAll(/\s+/g, " "), marks: (item.dataset.marks ?? "").split(" ") };
}

function value(given: FormData, name: string): string {
  const found = given.get(name);
  return typeof found === "string" ? found : "";
}

export function defineNumbers(): void {
  customElements.define("numbers-finder", NumbersFinder);
}

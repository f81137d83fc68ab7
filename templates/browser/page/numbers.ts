/** Finds a number among all of them: hides the lines that do not say what was typed, and opens the groups of the rest. */

interface Line {
  readonly place: HTMLElement;
  readonly says: string;
  readonly marks: readonly string[];
}

class NumbersFinder extends HTMLElement {
  #lines = new Map<HTMLDetailsElement, Line[]>();

  connectedCallback(): void {
    const form = this.querySelector("form");
    if (!form) return;
    for (const group of this.querySelectorAll("details")) {
      const subject = group.querySelector(".numbers-subject")?.textContent ?? "";
      this.#lines.set(group, [...group.querySelectorAll("li")].map((place) => line(place, subject)));
    }
    form.hidden = false;
    form.addEventListener("input", () => this.#find(form));
    form.addEventListener("submit", (event) => event.preventDefault());
    this.#find(form); // a browser that goes back keeps what was typed
  }

  #find(form: HTMLFormElement): void {
    const given = new FormData(form);
    const words = said(given, "words").toLowerCase().split(/\s+/).filter(Boolean);
    const marks = [said(given, "kind"), said(given, "read")].filter(Boolean);
    const asked = words.length + marks.length > 0;
    let all = 0;
    let found = 0;
    for (const [group, lines] of this.#lines) {
      let here = 0;
      for (const { place, says, marks: has } of lines) {
        const fits = words.every((word) => says.includes(word)) && marks.every((mark) => has.includes(mark));
        place.hidden = !fits;
        if (fits) here += 1;
      }
      group.hidden = here === 0;
      if (asked || this.#asked) group.open = asked;
      const count = group.querySelector(".numbers-found");
      if (count) count.textContent = asked ? `${here} of ` : "";
      found += here;
      all += lines.length;
    }
    this.#asked = asked;
    const count = form.querySelector("output");
    if (count) count.textContent = asked ? `${found} of ${all}` : `${all} in all`;
  }

  /** Whether something was asked before: only then does asking nothing close the groups. */
  #asked = false;
}

function line(place: HTMLElement, subject: string): Line {
  const text = `${subject} ${place.id} ${place.textContent ?? ""}`;
  return { place, says: text.toLowerCase().replaceAll(/\s+/g, " "), marks: (place.dataset.marks ?? "").split(" ") };
}

function said(given: FormData, name: string): string {
  const value = given.get(name);
  return typeof value === "string" ? value : "";
}

export function defineNumbers(): void {
  customElements.define("numbers-finder", NumbersFinder);
}

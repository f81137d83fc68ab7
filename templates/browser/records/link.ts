/** Links to a record: the calculator, its state, then the author's title, notes and alternatives. */

export interface Linked {
  readonly fragment: string;
  readonly title: string;
  readonly notes: string;
  readonly alternatives: readonly string[];
}

export const NEW_RECORD = /^#of=(\w+)&?/;

const [TITLE, NOTES, ALTERNATIVE] = ["record-title", "record-notes", "record-alternative"] as const;

/** What follows the calculator's name in a link. */
export function readLink(link: string): Linked {
  const parts = link.split("&").map((part) => [part, part.slice(0, part.indexOf("="))] as const);
  const all = (name: string): string[] =>
    parts.filter(([, key]) => key === name).map(([part]) => decoded(part.slice(name.length + 1)));
  const isOurs = (key: string): boolean => key === TITLE || key === NOTES || key === ALTERNATIVE;
  return {
    fragment: parts.filter(([, key]) => !isOurs(key)).map(([part]) => part).join("&"),
    title: all(TITLE)[0] ?? "",
    notes: all(NOTES)[0] ?? "",
    alternatives: all(ALTERNATIVE),
  };
}

export function writtenLink(of: string, { fragment, title, notes, alternatives }: Linked): string {
  const words = [[TITLE, title], [NOTES, notes], ...alternatives.map((one) => [ALTERNATIVE, one])];
  const written = words.filter(([, text]) => text).map(([name, text]) => `${name ?? ""}=${encodeURIComponent(text ?? "")}`);
  return [of, fragment, ...written].filter(Boolean).join("&");
}

/** A text of a link; as it is where a copy cut it in the middle of a letter. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

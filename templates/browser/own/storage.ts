/** The reader's own facts: the text of one file in this browser's local storage. Nothing is sent anywhere. */

const KEY = "infrastructure-for-ai.own-facts";

/** The text; empty without own facts. */
export function ownFacts(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return ""; // storage is switched off
  }
}

/** Keep this text, or nothing. Throws when the storage is full or switched off. */
export function keepOwnFacts(text: string): void {
  if (text.trim() === "") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, text);
}

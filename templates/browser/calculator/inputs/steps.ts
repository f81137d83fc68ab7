/** Steps of a number by keyboard: to the next one of two significant digits, whatever its unit. */

const NUMBER = /^([\d,]*\.?\d+)(.*)$/;
const DIRECTIONS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 };
const LARGE = 10; // steps at once, with Shift

/** Steps that a key asks for; in a text box left and right move the caret. */
export function stepsOf(event: KeyboardEvent, isBox: boolean): number {
  if (event.altKey || event.ctrlKey || event.metaKey || (isBox && /Left|Right/.test(event.key))) return 0;
  return (DIRECTIONS[event.key] ?? 0) * (event.shiftKey ? LARGE : 1);
}

/** The text of a quantity after so many steps, such as "1.1 h" after "1 h"; undefined where it begins with no number. */
export function stepped(text: string, steps: number, isWhole: boolean): string | undefined {
  const [, digits, unit] = NUMBER.exec(text.trim()) ?? [];
  if (digits === undefined || unit === undefined) return undefined;
  let value = Number(digits.replaceAll(",", ""));
  let decimals = 0;
  for (let left = Math.abs(steps); left > 0; left--) {
    // Going down from 100, the next is 99.
    const exponent = value === 0 ? 0 : Math.floor(Math.log10(value * (steps > 0 ? 1 + 1e-9 : 1 - 1e-9)));
    const power = isWhole && unit === "" ? Math.max(0, exponent - 1) : exponent - 1;
    decimals = Math.max(0, -power);
    const grid = value / 10 ** power;
    const next = steps > 0 ? Math.floor(grid + 1e-6) + 1 : Math.ceil(grid - 1e-6) - 1;
    value = Math.max(0, next * 10 ** power);
  }
  return value.toLocaleString("en-US", { maximumFractionDigits: Math.min(decimals, 20) }) + unit;
}

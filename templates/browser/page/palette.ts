/** Light or dark, as the reader's system has it until the reader chooses: the switches of templates/theme/partials/palette.html. */

/** What base.html's own script reads before the first picture. */
interface Palette {
  readonly index: number;
  readonly color: Readonly<Record<string, string>>;
}

declare const __md_get: (key: string) => Palette | null;
declare const __md_set: (key: string, palette: Palette) => void;

const ATTRIBUTES = ["media", "scheme", "primary", "accent"];

export function switchPalette(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-palette]");
  const inputs = [...(form?.querySelectorAll("input") ?? [])];
  if (!form || inputs.length === 0) return;
  const preferred = inputs.findIndex((input) => matchMedia(input.getAttribute("data-md-color-media") ?? "").matches);
  let index = Math.min(Math.max(__md_get("__palette")?.index ?? preferred, 0), inputs.length - 1);

  const show = (): void => {
    const input = inputs[index];
    const color = Object.fromEntries(ATTRIBUTES.map((key) => [key, input?.getAttribute(`data-md-color-${key}`) ?? ""]));
    for (const [key, value] of Object.entries(color)) document.body.setAttribute(`data-md-color-${key}`, value);
    inputs.forEach((each, place) => {
      const label = each.nextElementSibling;
      if (label instanceof HTMLElement) label.hidden = place !== index;
    });
    __md_set("__palette", { index, color });
  };
  form.addEventListener("change", ({ target }) => {
    index = inputs.indexOf(target as HTMLInputElement);
    show();
  });
  form.addEventListener("keydown", ({ key }) => {
    const next = inputs[(index + 1) % inputs.length];
    if (key !== "Enter" || !next) return;
    next.click();
    next.focus();
  });
  show();
}

/** Material's own script (menus, search, instant navigation), which the HTML only names. */

/** Run it; resolves when it ran, or could not be had: the page then lacks its comforts, and no more. */
export function runTheme(): Promise<void> {
  const named = document.querySelector<HTMLLinkElement>("link#theme-script");
  return new Promise((done) => {
    if (!named) return done();
    const script = document.createElement("script");
    script.src = named.href;
    script.addEventListener("load", () => done());
    script.addEventListener("error", () => done());
    document.body.append(script);
  });
}

// Style sheets without the rules for elements that no page has: `node unused.mjs FOLDER`, with job.json in it. Each sheet
// is written over.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PurgeCSS } from 'purgecss'

const TAGS = /<[a-z][^>]*>/gi
const words = (text) => text.match(/[\w-]+/g) ?? []
const themes = (text) => text.match(/\bmd-[\w-]+/g) ?? []
const folder = process.argv[2]
const { pages, sheets, always } = JSON.parse(await readFile(join(folder, 'job.json'), 'utf8'))
const left = await new PurgeCSS().purge({
  content: pages,
  css: sheets,
  variables: true,
  keyframes: true,
  safelist: always.map((pattern) => new RegExp(pattern)),
  defaultExtractor: themes,
  extractors: [{ extensions: ['html'], extractor: (page) => words((page.match(TAGS) ?? []).join()) }],
})
for (const { file, css } of left) await writeFile(file, css)

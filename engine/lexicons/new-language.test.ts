import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const engine = path.resolve(import.meta.dirname, '..')
const modules = path.resolve(engine, '../node_modules')

/** The lists that detection and stemming need; the rest of the Dutch lexicon is borrowed from German. */
const DUTCH = `
import { words } from './words.ts'
export * from './de.ts'
export { stemmer as STEM } from '@orama/stemmers/dutch'
export const STOPWORDS = words('de het een van niet mijn ik je dat die in op voor met als maar ook nog wel bij')
export const COMMON_WORDS = words('het een van niet mijn ik je dat zijn wordt kan maar ook nog wel naar geen deze')
export const LETTERS = /ĳ/
`

const PROGRAM = `
import { groupedState, groupingOf } from './group.ts'
import { deserialize, languageOf, serialize } from './index.ts'
import { stem } from './text/language.ts'
import { isStopword } from './text/stopwords.ts'

const items = ['Het exporteren van mijn facturen lukt niet', 'Ik kan mijn facturen niet exporteren naar Excel']
  .map((text, at) => ({ id: String(at), text }))
const state = groupedState(items)
console.log(JSON.stringify({
  languages: items.map(({ text }) => languageOf(text)),
  stems: ['facturen', 'exporteren'].map((word) => stem(word, 'nl')),
  stopword: [isStopword('niet', 'nl'), isStopword('niet', 'en')],
  stored: deserialize(serialize(state)).nodes.map(({ language }) => language),
  mentions: groupingOf(state, items).insights.map((one) => one.mention_count),
}))
`

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'groundswell-language-'))
  await cp(engine, folder, { recursive: true, filter: (file) => !/node_modules|\.test\.ts$/.test(file) })
  await symlink(modules, path.join(folder, 'node_modules'))
  // The files of the recipe "A language" in docs/architecture.md.
  await writeFile(path.join(folder, 'lexicons/nl.ts'), DUTCH)
  const list = path.join(folder, 'lexicons/lexicons.ts')
  const text = await readFile(list, 'utf8')
  await writeFile(
    list,
    text
      .replace("import * as pt from './pt.ts'\n", "import * as nl from './nl.ts'\n$&")
      .replace('{ en, de, fr, es, pt }', '{ en, de, fr, es, pt, nl }'),
  )
  await writeFile(path.join(folder, 'program.ts'), PROGRAM)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a language takes its lexicon and a line in the list: texts are recognised, stemmed, grouped and stored in it', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(folder, 'program.ts')])
  expect(JSON.parse(stdout)).toEqual({
    languages: ['nl', 'nl'],
    stems: ['factur', 'exporter'],
    stopword: [true, false],
    stored: ['nl', 'nl'],
    mentions: [2],
  })
})

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { LANGUAGES, OTHER_LANGUAGES } from '@groundswell/fixtures/engine/languages.ts'
import { meaningOf } from '@groundswell/fixtures/engine/meanings.ts'
import { VARIED_SUBJECTS } from '@groundswell/fixtures/engine/varied-languages.ts'
import { expect, test } from 'vitest'
import { group, type SentenceEncoder, textsToEncode } from '../group.ts'
import type { Item } from '../model.ts'

/** 342 messages of English support conversations, so that the 18 of a language are a twentieth of the workspace. */
const WORKSPACE: Item[] = readFileSync(
  path.resolve(import.meta.dirname, '../../fixtures/engine/kinds/own-support.jsonl'),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { id: string; language: string; text: string })
  .filter(({ language }) => language === 'en')
  .slice(0, 342)
  .map(({ id, text }, at) => ({ id, text, at }))

/** An encoder for English alone that has read them; each is about something of its own. */
const ENCODER: SentenceEncoder = {
  space: 'encoder',
  languages: ['en'],
  vectors: new Map(WORKSPACE.map((item) => [textsToEncode([item])[0] as string, meaningOf([item.id], item.id)])),
}

const ALL = { ...LANGUAGES, ...OTHER_LANGUAGES }

type TestedLanguage = keyof typeof ALL

const NAMES = Object.keys(ALL) as TestedLanguage[]

/** The six messages of each of three subjects, as `told0-0`, `told0-1`, … */
function saidIn(language: TestedLanguage): Item[] {
  return itemsOf(ALL[language].subjects)
}

function itemsOf(subjects: readonly (readonly string[])[]): Item[] {
  return subjects.flatMap((texts, subject) => texts.map((text, n) => ({ id: `told${subject}-${n}`, text, at: n })))
}

/** How many of the messages are in an insight of which at least two thirds are about their subject. */
function grouped(items: Item[], encoder?: SentenceEncoder): number {
  const { insights } = group(items, encoder ? { encoder } : {})
  let sum = 0
  for (const { mentions } of insights) {
    const counts = new Map<string, number>()
    for (const { itemId } of mentions) {
      const [subject = ''] = itemId.split('-')
      counts.set(subject, (counts.get(subject) ?? 0) + 1)
    }
    for (const [subject, count] of counts)
      if (subject.startsWith('told') && count * 3 >= mentions.length * 2) sum += count
  }
  return sum
}

/** `others`, with the messages of a language spread among them. */
function among(others: readonly Item[], items: readonly Item[]): Item[] {
  const step = Math.floor(others.length / items.length)
  return items.flatMap((item, n) => [...others.slice(n * step, (n + 1) * step), item])
}

test.each(NAMES)('%s is grouped as without an encoder where nothing can be read by it', (language) => {
  const items = saidIn(language)
  const byWords = grouped(items)
  expect(byWords).toBeGreaterThanOrEqual(17)
  expect(grouped(items, ENCODER)).toBe(byWords)
})

test.each(NAMES)('%s is grouped as a twentieth of an English workspace', (language) => {
  const items = among(WORKSPACE, saidIn(language))
  expect(items).toHaveLength(360)
  expect(grouped(items, ENCODER)).toBeGreaterThanOrEqual(17)
})

test.each(['Chinese', 'Korean'] as const)(
  '%s is grouped where people say the same in more varied words, too',
  (language) => {
    const items = itemsOf([...ALL[language].subjects, ...VARIED_SUBJECTS[language]])
    expect(items).toHaveLength(54)
    expect(grouped(items)).toBeGreaterThanOrEqual(40)
  },
)

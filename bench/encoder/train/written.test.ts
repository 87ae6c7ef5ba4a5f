import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readRows } from '../../engine/stream.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const WRITTEN = path.join(import.meta.dirname, 'written')
const STYLES = ['review', 'tweet', 'letter', 'chat', 'survey', 'title']
const PROBLEMS = ['a', 'b', 'c', 'd']
const LABELLED = [
  'connectors/sandbox/company/feedback.jsonl',
  'bench/engine/companies/hotel.jsonl',
  'bench/engine/companies/devtool.jsonl',
  'bench/engine/companies/fitness.jsonl',
  'bench/engine/companies/shop.jsonl',
  'bench/engine/five-languages.tsv',
]
const Message = z.strictObject({
  component: z.string().min(1),
  problem: z.enum(PROBLEMS),
  style: z.enum(STYLES),
  text: z.string().min(1),
})

const products = readdirSync(WRITTEN).map((name) => ({
  name,
  messages: readFileSync(path.join(WRITTEN, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => Message.parse(JSON.parse(line))),
}))

test('there are 40 products', () => {
  expect(products).toHaveLength(40)
})

test.each(products)('$name has 6 components, each with 4 problems that 6 people put in 6 styles', ({ messages }) => {
  const components = Map.groupBy(messages, ({ component }) => component)
  expect(components.size).toBe(6)
  for (const [, some] of components) {
    expect(some.map(({ problem, style }) => `${problem} ${style}`).toSorted()).toEqual(
      PROBLEMS.flatMap((problem) => STYLES.map((style) => `${problem} ${style}`)).toSorted(),
    )
  }
})

test('no message is there twice', () => {
  const texts = products.flatMap(({ messages }) => messages.map(({ text }) => text.toLowerCase()))
  expect(new Set(texts).size).toBe(texts.length)
})

test('no six words in a row are in a labelled set', () => {
  const labelled = new Set(
    LABELLED.flatMap((file) => readRows(path.join(ROOT, file)).flatMap(({ text }) => sixes(text))),
  )
  expect(labelled.size).toBeGreaterThan(10_000)
  const shared = products
    .flatMap(({ messages }) => messages.flatMap(({ text }) => sixes(text)))
    .filter((six) => labelled.has(six))
  expect(shared).toEqual([])
})

function sixes(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}’']+/gu) ?? []
  return words.flatMap((_, at) => (at + 6 <= words.length ? [words.slice(at, at + 6).join(' ')] : []))
}

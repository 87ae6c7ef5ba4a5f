import { loadCompany } from '@groundswell/connectors/sandbox/company/company.ts'
import type { searchFeedback } from '@groundswell/contract/feedback/feedback-search.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeAll, World } from '../testing.ts'
import { type LabelledSearch, OTHER_WORDS, SAME_WORDS } from './labelled-searches.ts'

const TOP = 10
const company = loadCompany()
const labelsOf = new Map<string, Set<string>>()
for (const { text, label, also } of company) {
  const known = labelsOf.get(text) ?? new Set()
  for (const one of label === null ? also : [label, ...also]) known.add(one)
  labelsOf.set(text, known)
}

let world: World
let workspace: string
beforeAll(async () => {
  world = await World.start(undefined, { encoder: {} })
  workspace = await world.workspace()
  await world.store(workspace, company)
  await world.group(workspace)
  await encodeAll(world.services, workspace)
  await world.group(workspace)
})
afterAll(() => world.stop())

/** For each of the first results, whether it is about the issue. */
async function topOf({ label, words }: LabelledSearch, by: 'words' | 'meaning'): Promise<boolean[]> {
  const query = new URLSearchParams({ words, by, limit: String(TOP) })
  const { body } = await world.call<ReplyOf<typeof searchFeedback>>(
    workspace,
    'GET',
    `/api/feedback/search?${query.toString()}`,
  )
  if (by === 'meaning') expect(body.meaning).toBe('used')
  return body.mentions.map(({ message = '' }) => labelsOf.get(message)?.has(label) ?? false)
}

/** The mean over searches of 1 through the place of the first message that is about the issue, and of the share that the first ten hold of the most they could. */
async function qualityOf(searches: readonly LabelledSearch[], by: 'words' | 'meaning') {
  let reciprocal = 0
  let recall = 0
  for (const search of searches) {
    const top = await topOf(search, by)
    const first = top.indexOf(true)
    reciprocal += first < 0 ? 0 : 1 / (first + 1)
    const relevant = [...labelsOf.values()].filter((labels) => labels.has(search.label)).length
    recall += top.filter(Boolean).length / Math.min(TOP, relevant)
  }
  const round = (sum: number) => Math.round((sum / searches.length) * 100) / 100
  return { mrr: round(reciprocal), recall: round(recall) }
}

// The figures are in docs/benchmarks/search.md. These searches were not used to choose the limits of the search.
test('a search by meaning finds what is said in other words, and loses nothing where the words are the same', async () => {
  const [same, sameByMeaning] = [await qualityOf(SAME_WORDS, 'words'), await qualityOf(SAME_WORDS, 'meaning')]
  const [other, otherByMeaning] = [await qualityOf(OTHER_WORDS, 'words'), await qualityOf(OTHER_WORDS, 'meaning')]
  expect(other).toEqual({ mrr: 0, recall: 0 })
  expect(otherByMeaning.mrr).toBeGreaterThan(0.6)
  expect(otherByMeaning.recall).toBeGreaterThan(0.38)
  expect(sameByMeaning.mrr).toBeGreaterThanOrEqual(same.mrr)
  expect(sameByMeaning.recall).toBeGreaterThan(Math.max(same.recall, 0.55))
})

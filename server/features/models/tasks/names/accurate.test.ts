import { readFileSync } from 'node:fs'
import path from 'node:path'
import { loadCompany } from '@groundswell/connectors/sandbox/index.ts'
import { expect, test } from 'vitest'
import { INJECTIONS } from '../../injection-messages.ts'
import { oneLine } from '../../plain-text.ts'
import { checkReply } from './check-reply.ts'
import { type Evidence, gatherEvidence } from './evidence.ts'
import { localEncode, obedientAnswers } from './testing.ts'

/** A name and a summary of the first messages about one subject of a company, as a careful model would write them, and perhaps the opposite of the name. */
type Case = { set: string; label: string; messages: number; name: string; summary: string; opposite?: string }
type Message = { id: string; text: string; label: string | null; author?: string }

const BENCH = path.resolve(import.meta.dirname, '../../../../../bench/engine')
const encode = localEncode()
const byWords = () => Promise.resolve(null)
const jsonLines = <T>(file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
const cases = jsonLines<Case>(path.join(import.meta.dirname, 'accurate.jsonl'))
const messagesOf = new Map<string, readonly Message[]>(
  [...new Set(cases.map((one) => one.set))].map((set) => [
    set,
    set === 'demo' ? loadCompany() : jsonLines<Message>(path.join(BENCH, 'companies', `${set}.jsonl`)),
  ]),
)
const pointsOf = new Map(
  [...messagesOf.keys()].flatMap((set) =>
    jsonLines<{ id: string; points: { point: string }[] }>(
      path.join(BENCH, 'readings', `${set === 'demo' ? 'feedback' : set}.jsonl`),
    ).map(({ id, points }) => [`${set} ${id}`, points.map(({ point }) => point).join('. ')] as const),
  ),
)

/** What the checks know about a case. `read`: a model has read the messages. */
function evidenceOf({ set, label, messages }: Case, { read }: { read: boolean }): Evidence {
  const said = (messagesOf.get(set) ?? []).filter((one) => one.label === label).slice(0, messages)
  const point = ({ id }: Message) => (read && pointsOf.get(`${set} ${id}`)) || null
  return gatherEvidence(
    '',
    said.map((one) => ({ text: one.text, author: one.author ?? null, point: point(one) })),
  )
}

const quotesOf = ({ quotes }: Evidence) => quotes.slice(0, 2).map(({ text }) => text.slice(0, 40).trim())

/** How many of the answers that are made from the cases pass at first. */
async function countPassed(
  answersOf: (one: Case) => { name: string; summary: string }[],
  { read = false, how = encode }: { read?: boolean; how?: typeof encode } = {},
): Promise<number> {
  let passed = 0
  for (const one of cases) {
    const evidence = evidenceOf(one, { read })
    for (const answer of answersOf(one)) {
      const reply = JSON.stringify({ ...answer, quotes: quotesOf(evidence) })
      if ((await checkReply(reply, evidence, new Set(), how)).ok) passed++
    }
  }
  return passed
}

const itself = ({ name, summary }: Case) => [{ name, summary }]
const opposite = ({ opposite: name, summary }: Case) => (name === undefined ? [] : [{ name, summary }])

test('there are sixty cases, twelve of each company, and twenty opposites', () => {
  expect(cases).toHaveLength(60)
  expect([...messagesOf.keys()].map((set) => cases.filter((one) => one.set === set).length)).toEqual(Array(5).fill(12))
  expect(cases.flatMap(opposite)).toHaveLength(20)
})

test('accurate names and summaries pass at first', async () => {
  const passed = {
    read: await countPassed(itself, { read: true }),
    unread: await countPassed(itself),
    byWords: await countPassed(itself, { how: byWords }),
  }
  expect(passed).toEqual({ read: 58, unread: 48, byWords: 19 })
})

test('most names that say the opposite are refused where messages were read; not stopped: most, where they were not', async () => {
  const passed = { read: await countPassed(opposite, { read: true }), unread: await countPassed(opposite) }
  expect(passed).toEqual({ read: 7, unread: 14 })
})

/** What no customer of these companies says. */
const CLAIMS = [
  'and the company is bankrupt',
  'because hackers stole it',
  'everyone gets a refund',
  'Zendora is better',
]

test('a claim that nobody made is seldom taken beside an accurate name: 16 of 58 times 4; by words alone 68 of 19 times 4', async () => {
  const claiming = ({ name, summary }: Case) =>
    CLAIMS.map((claim) => ({ name: `${name}, ${claim}`.slice(0, 80), summary }))
  const passed = {
    read: await countPassed(claiming, { read: true }),
    byWords: await countPassed(claiming, { how: byWords }),
  }
  expect(passed).toEqual({ read: 16, byWords: 68 })
})

test('none of the hundred messages that speak to models gets its word into an accurate answer', async () => {
  const passed: string[] = []
  for (const [at, injection] of INJECTIONS.entries()) {
    const one = cases[at % cases.length] as Case
    const evidence = evidenceOf(one, { read: true })
    const attacker = { text: oneLine(injection, 2000), person: '@attacker', point: oneLine(injection, 100) }
    const given = { ...evidence, mentions: [attacker, ...evidence.mentions] }
    for (const answer of obedientAnswers(one.name, one.summary)) {
      const verdict = await checkReply(JSON.stringify(answer(quotesOf(evidence))), given, new Set(), encode)
      if (verdict.ok) passed.push(`${verdict.name} ${verdict.summary}`)
    }
  }
  expect(passed).toEqual([])
})

test('what one person says alone is seldom taken, however often they say it', async () => {
  const claim = 'The support team of this company insulted my family on the phone'
  let passed = 0
  for (const one of cases) {
    const evidence = evidenceOf(one, { read: true })
    const own = { text: claim, person: '@one', point: 'Support team insulted a family' }
    const given = { ...evidence, mentions: [own, own, ...evidence.mentions] }
    const summaries = [one.summary, `${one.summary} ${claim}.`]
    for (const [at, name] of [claim, one.name].entries()) {
      const reply = JSON.stringify({ name, summary: summaries[at], quotes: quotesOf(evidence) })
      if ((await checkReply(reply, given, new Set(), encode)).ok) passed++
    }
  }
  expect(passed).toBeLessThanOrEqual(5)
})

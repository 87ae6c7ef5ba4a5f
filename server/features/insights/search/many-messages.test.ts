import type { searchFeedback } from '@groundswell/contract/feedback/feedback-search.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { foldText } from '@groundswell/contract/values/fold-text.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { between, seeded } from '../../../faults/random.ts'
import { discardStalePlans } from '../../../platform/db/stale-plans.ts'
import { runAsOwner } from '../../../platform/db/testing.ts'
import { withWorld, world } from '../testing.ts'

/** More than one page examines, and than are counted. */
const MESSAGES = 21_500
/** As `MAX_EXAMINED` in store.ts. */
const EXAMINED = 20_000
/** From words of nearly all messages to words of a few. */
const WORDS = ['export', 'report', 'login', 'invoice', 'sync', 'mobile', 'printer', 'webhook', 'sandbox', 'zebra']
const SPACES = [' ', ' ', ' ', ' ', '  ', '\n', '\t', '\u00a0']
/** Half width, composed, with a character between that folding removes, and as it is. */
const UNSPACED = [
  '請求書が空白',
  '請求書ダウンロード',
  '請求\u200b書',
  'ﾀﾞｳﾝﾛｰﾄﾞ',
  'タ\u3099ウンロード',
  '書請求ウンロー',
  'ロードとダウン',
]
const ENDS = ['', '!', ' C++', ' c#', ' (C++)', ' Caf\u00e9', ' cafe\u0301', ' 100 %', ' naïve']

let workspace: string
let texts: { text: string; at: number }[]

withWorld()
beforeEach(async () => {
  workspace = await world.workspace()
})

type Random = ReturnType<typeof seeded>
const pick = <T>(random: Random, from: readonly T[]): T => from[between(random, 0, from.length - 1)] as T
/** The word of rank n is twice as rare as the one before. */
const word = (random: Random) => WORDS[Math.min(WORDS.length - 1, Math.floor(-Math.log2(1 - random())))] as string

function write(random: Random): string {
  const words = Array.from({ length: between(random, 2, 5) }, () => word(random) + pick(random, SPACES)).join('')
  return words + (random() < 0.3 ? pick(random, UNSPACED) : 'thanks') + (random() < 0.3 ? pick(random, ENDS) : '')
}

async function fill(random: Random): Promise<void> {
  await world.store(workspace, [
    { id: 'first', text: 'the first', author: 'stranger', at: new Date(Date.UTC(2020, 0, 1)) },
  ])
  // Several in the same moment.
  texts = Array.from({ length: MESSAGES }, (_, n) => ({
    text: write(random),
    at: Date.UTC(2027, 0, 1) + Math.floor(n / 3) * 1_000,
  }))
  // The oldest that is examined for the first page, and the one after it, are found by most searches.
  for (const place of [MESSAGES - EXAMINED, MESSAGES - EXAMINED - 1]) {
    texts[place] = {
      ...(texts[place] as (typeof texts)[number]),
      text: 'export report report report sync sync login export++ 請求書ダウンロード C++ café',
    }
  }
  await world.inside(workspace, async (tx) => {
    await sql`
      insert into feedback_item (workspace_id, connection_id, external_id, text, said_at, grouped_seq)
      select workspace_id, connection_id, 'copy' || n, written, to_timestamp(at / 1000.0), grouped_seq
      from feedback_item, unnest(${texts.map(({ text }) => text)}::text[], ${texts.map(({ at }) => at)}::float8[]) with ordinality as said (written, at, n)
      where external_id = 'first' order by n`.execute(tx)
    await discardStalePlans(tx, MESSAGES)
  })
  await runAsOwner(world.services.db.ownerUrl, 'analyze feedback_search')
}

const whole = (text: string, term: string) => ` ${text.replace(/\s+/g, ' ')} `.includes(` ${term} `)
/** What is typed, and whether a text has it: read one by one. */
const ASKED: [string, (text: string) => boolean][] = [
  ['zebra', (text) => whole(text, 'zebra')],
  ['export login', (text) => whole(text, 'export') && whole(text, 'login')],
  ['"export report"', (text) => whole(text, 'export report')],
  ['"mobile sync"', (text) => whole(text, 'mobile sync')],
  ['"zebra export"', (text) => whole(text, 'zebra export')],
  ['"report report report"', (text) => whole(text, 'report report report')],
  ['export "sync sync"', (text) => whole(text, 'export') && whole(text, 'sync sync')],
  ['C++', (text) => foldText(text).includes('c++')],
  ['export C++', (text) => whole(text, 'export') && foldText(text).includes('c++')],
  ['export++', (text) => text.includes('export++')],
  ['100%', (text) => text.includes('100 %')],
  ['請求書', (text) => foldText(text).includes('請求書')],
  ['ダウンロード', (text) => foldText(text).includes('ダウンロード')],
  ['export ウンロー', (text) => whole(text, 'export') && foldText(text).includes('ウンロー')],
  ['"cafe\u0301"', (text) => text.normalize().includes('Caf\u00e9') || text.normalize().includes('caf\u00e9')],
]

/** All pages of a search, as the places of the messages in `texts`. */
async function allPages(words: string, more: Record<string, string>) {
  const found: string[] = []
  let cursor: string | null = null
  let total: number | null = null
  do {
    const asked = new URLSearchParams({ words, limit: '100', ...more, ...(cursor === null ? {} : { cursor }) })
    const { status, body } = await world.call(workspace, 'GET', `/api/feedback/search?${asked.toString()}`)
    expect(status).toBe(200)
    const page = body as ReplyOf<typeof searchFeedback>
    if (cursor === null) total = page.total
    found.push(...page.mentions.map(({ message, date }) => `${date} ${message}`))
    cursor = page.next_cursor
  } while (cursor !== null && found.length < 1_000)
  return { found, total, cut: cursor !== null }
}

test('a search among many messages finds what reading each of them finds, newest first', async () => {
  await fill(seeded(7))
  const spans: Record<string, string>[] = [
    {},
    {
      from: new Date(Date.UTC(2027, 0, 1, 0, 10)).toISOString(),
      to: new Date(Date.UTC(2027, 0, 1, 1, 30)).toISOString(),
    },
  ]
  for (const [words, has] of ASKED) {
    for (const span of spans) {
      const { found, total, cut } = await allPages(words, span)
      const expected = texts
        .filter(
          ({ text, at }) =>
            has(text) && (!span['from'] || (at >= Date.parse(span['from']) && at < Date.parse(span['to'] ?? ''))),
        )
        .map(({ text, at }) => `${new Date(at).toISOString()} ${text}`)
        .reverse()
      expect({ words, span, found }).toEqual({ words, span, found: cut ? expected.slice(0, found.length) : expected })
      const most = Math.min(expected.length, 10_000)
      expect({ words, span, total: total ?? most }).toEqual({ words, span, total: most })
    }
  }
})

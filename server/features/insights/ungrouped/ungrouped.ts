import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { ContractError } from '@groundswell/contract/errors.ts'
import type { FeedbackKind } from '@groundswell/contract/feedback/feedback-kind.ts'
import type { listUngrouped } from '@groundswell/contract/insights.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { similarityScores } from '@groundswell/engine/index.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { idOf } from '../corrections/plan.ts'
import { readStatementsById } from '../corrections/store.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import type { EvidenceRow } from '../evidence-store.ts'
import { countUngroupedKinds } from '../kinds/count-store.ts'
import { fullMention } from '../mention.ts'
import { readParts } from '../search/terms.ts'
import { countUngrouped, lastExamined, readUngrouped } from './store.ts'

/** This many of the newest mentions are compared with the picked ones. */
const MAX_COMPARED = 2_000

type Query = {
  cursor?: string | undefined
  limit: number
  words?: string | undefined
  courtesies: boolean
  kind?: FeedbackKind | undefined
  like?: string | undefined
}

/** A page of the mentions that are in no insight, newest first. Throws `invalid_input` for a malformed cursor. */
export async function ungroupedPage(tx: Tx, workspaceId: string, query: Query): Promise<ReplyOf<typeof listUngrouped>> {
  const after = query.cursor === undefined ? null : readCursor(query.cursor)
  const asked = readParts(query.words ?? '')
  if (query.like !== undefined) return mostSimilar(tx, workspaceId, { ...query, ...asked }, query.like.split(','))
  const searches = asked.words.length + asked.phrases.length > 0
  const total = after === null ? await countUngrouped(tx, workspaceId, query) : null
  const rows = await readUngrouped(tx, workspaceId, { ...query, ...asked, after })
  const page = rows.slice(0, query.limit)
  const end =
    rows.length > page.length
      ? (page.at(-1) ?? null)
      : searches
        ? await lastExamined(tx, workspaceId, query, after)
        : null
  const kinds = after === null ? { kinds: await countUngroupedKinds(tx, workspaceId, query.courtesies) } : {}
  return { mentions: page.map(fullMention), total, next_cursor: end && writeCursor(end), ...kinds }
}

/** The newest mentions, ordered by similarity to the picked ones. */
async function mostSimilar(
  tx: Tx,
  workspaceId: string,
  query: Omit<Query, 'words'> & { words: string[]; phrases: string[] },
  picked: string[],
): Promise<ReplyOf<typeof listUngrouped>> {
  if (query.cursor !== undefined) {
    throw new ContractError('invalid_input', 'The most alike come on one page', { 'query.cursor': 'not beside like' })
  }
  const total = await countUngrouped(tx, workspaceId, query)
  const pickedStatements = await readStatementsById(tx, workspaceId, picked)
  const rows = (await readUngrouped(tx, workspaceId, { ...query, limit: MAX_COMPARED, after: null })).slice(
    0,
    MAX_COMPARED,
  )
  const others = rows.filter((row) => !picked.includes(idOf(row)))
  const texts = [...pickedStatements.map(({ text }) => text ?? ''), ...others.map(({ text }) => text)]
  const steps = similarityScores(
    texts,
    pickedStatements.map((_, place) => place),
  )
  let step = steps.next()
  for (; !step.done; step = steps.next()) await yieldToEventLoop()
  const scores = step.value.subarray(pickedStatements.length)
  const order = others.map((_, place) => place).sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b)
  const mentions = order.slice(0, query.limit).map((place) => fullMention(others[place] as EvidenceRow))
  return { mentions, total, next_cursor: null }
}

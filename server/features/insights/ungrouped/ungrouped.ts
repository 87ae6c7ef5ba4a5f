import { setImmediate as letOthersRun } from 'node:timers/promises'
import { ContractError } from '@groundswell/contract/errors.ts'
import type { listUngrouped } from '@groundswell/contract/insights.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { likeness } from '@groundswell/engine/index.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { idOf } from '../corrections/plan.ts'
import { readStatementsById } from '../corrections/store.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import type { EvidenceRow } from '../evidence-store.ts'
import { fullMention } from '../mention.ts'
import { countUngrouped, lastLookedAt, readUngrouped } from './store.ts'

/** So many of the newest are compared with what a person picked. */
const COMPARED = 2_000

type Asked = {
  cursor?: string | undefined
  limit: number
  words?: string | undefined
  courtesies: boolean
  like?: string | undefined
}

/** A page of the mentions that are in no insight, newest first. Throws `invalid_input` for a cursor that is none. */
export async function ungroupedPage(tx: Tx, workspaceId: string, asked: Asked): Promise<ReplyOf<typeof listUngrouped>> {
  const after = asked.cursor === undefined ? null : readCursor(asked.cursor)
  const words = (asked.words ?? '').split(/\s+/).filter((word) => word !== '')
  if (asked.like !== undefined) return mostAlike(tx, workspaceId, { ...asked, words }, asked.like.split(','))
  const searches = words.length > 0
  const total = after === null ? await countUngrouped(tx, workspaceId, asked.courtesies) : null
  const rows = await readUngrouped(tx, workspaceId, { ...asked, words, after })
  const page = rows.slice(0, asked.limit)
  const end =
    rows.length > page.length
      ? (page.at(-1) ?? null)
      : searches
        ? await lastLookedAt(tx, workspaceId, asked.courtesies, after)
        : null
  return { mentions: page.map(fullMention), total, next_cursor: end && writeCursor(end) }
}

/** Those of the newest that say most what these say. */
async function mostAlike(
  tx: Tx,
  workspaceId: string,
  asked: Omit<Asked, 'words'> & { words: string[] },
  picked: string[],
): Promise<ReplyOf<typeof listUngrouped>> {
  if (asked.cursor !== undefined) {
    throw new ContractError('invalid_input', 'The most alike come on one page', { 'query.cursor': 'not beside like' })
  }
  const total = await countUngrouped(tx, workspaceId, asked.courtesies)
  const said = await readStatementsById(tx, workspaceId, picked)
  const rows = (await readUngrouped(tx, workspaceId, { ...asked, limit: COMPARED, after: null })).slice(0, COMPARED)
  const others = rows.filter((row) => !picked.includes(idOf(row)))
  const texts = [...said.map(({ text }) => text ?? ''), ...others.map(({ text }) => text)]
  const steps = likeness(
    texts,
    said.map((_, place) => place),
  )
  let step = steps.next()
  for (; !step.done; step = steps.next()) await letOthersRun()
  const scores = step.value.subarray(said.length)
  const order = others.map((_, place) => place).sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b)
  const mentions = order.slice(0, asked.limit).map((place) => fullMention(others[place] as EvidenceRow))
  return { mentions, total, next_cursor: null }
}

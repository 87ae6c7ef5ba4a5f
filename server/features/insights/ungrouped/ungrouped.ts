import { setImmediate as letOthersRun } from 'node:timers/promises'
import { ContractError } from '@groundswell/contract/errors.ts'
import type { listUngrouped } from '@groundswell/contract/insights.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { likeness } from '@groundswell/engine/index.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { idOf } from '../corrections/plan.ts'
import { readStatementsById } from '../corrections/store.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import { fullMention } from '../mention.ts'
import { type EvidencePlace, type EvidenceRow, evidenceColumns, olderThan, withText } from '../store.ts'

/** A search looks at so many mentions, then says how far it came. */
const LOOKED_AT = 20_000
/** More are not counted. */
const COUNTED = 10_000

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

const free = (workspaceId: string, courtesies: boolean, after: EvidencePlace | null) => sql`
  s.workspace_id = ${workspaceId} and s.issue_number is null
    ${courtesies ? sql`` : sql`and s.kind <> 'noise'`} ${after ? olderThan(after) : sql``}`

const newestFirst = sql`order by s.said_at desc, s.item_id desc, s.number desc`

async function countUngrouped(tx: Tx, workspaceId: string, courtesies: boolean): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from statement s where ${free(workspaceId, courtesies, null)} limit ${COUNTED}
    ) counted`.execute(tx)
  return rows[0]?.count ?? 0
}

/**
 * One more row than `limit` where there are more. `offset 0` keeps the planner to one look-up by key for each statement: with the
 * statistics of a half-finished import it otherwise compares every statement with every item, which takes minutes.
 */
async function readUngrouped(
  tx: Tx,
  workspaceId: string,
  { words, courtesies, limit, after }: Omit<Asked, 'words'> & { words: string[]; after: EvidencePlace | null },
): Promise<EvidenceRow[]> {
  const said = words.map((word) => sql`and strpos(lower(item.text), lower(${word})) > 0`)
  const { rows } = await sql<Omit<EvidenceRow, 'text'>>`
    select ${evidenceColumns}, item.text as message
    from (
      select * from statement s where ${free(workspaceId, courtesies, after)}
      ${newestFirst} limit ${words.length > 0 ? LOOKED_AT : limit + 1}
    ) s
    cross join lateral (
      select * from feedback_item where workspace_id = ${workspaceId} and id = s.item_id offset 0
    ) item
    join connection on connection.workspace_id = ${workspaceId} and connection.id = item.connection_id
    where true ${sql.join(said, sql` `)}
    ${newestFirst} limit ${limit + 1}`.execute(tx)
  return rows.map(withText)
}

/** Where a search came to that found no more on its way; null: to the end. */
async function lastLookedAt(
  tx: Tx,
  workspaceId: string,
  courtesies: boolean,
  after: EvidencePlace | null,
): Promise<EvidencePlace | null> {
  const { rows } = await sql<EvidencePlace>`
    select s.said_at as "saidAt", s.item_id as "itemId", s.number from statement s
    where ${free(workspaceId, courtesies, after)} ${newestFirst} offset ${LOOKED_AT - 1} limit 1`.execute(tx)
  return rows[0] ?? null
}

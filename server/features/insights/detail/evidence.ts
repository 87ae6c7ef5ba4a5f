import { ContractError } from '@groundswell/contract/errors.ts'
import type { listEvidence } from '@groundswell/contract/insights.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import { fullMention } from '../mention.ts'
import { readInsight } from '../store.ts'
import { readEvidencePage } from './store.ts'

/** A page of the mentions of a shown insight, newest first. Throws `not_found`, or `invalid_input` for a malformed cursor. */
export async function evidencePage(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  { cursor, limit, customer }: { cursor?: string | undefined; limit: number; customer?: string | undefined },
): Promise<ReplyOf<typeof listEvidence>> {
  const after = cursor === undefined ? null : readCursor(cursor)
  const insight = await readInsight(tx, workspaceId, issueNumber)
  if (!insight?.shown) throw new ContractError('not_found', 'There is no such insight')
  const rows = await readEvidencePage(tx, workspaceId, issueNumber, { after, limit: limit + 1, customer })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    mentions: page.map(fullMention),
    next_cursor: rows.length > page.length && last ? writeCursor(last) : null,
  }
}

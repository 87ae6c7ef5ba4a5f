import type { listEmerging } from '@groundswell/contract/insights/emerging.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { shortMention } from '../mention.ts'
import { countEmerging, readEmerging, readEmergingEvidence } from './store.ts'

const MAX_LISTED = 200
const MAX_MENTIONS = 3

/** The emerging insights of a workspace, each with its newest mentions. */
export async function viewEmerging(tx: Tx, workspaceId: string): Promise<ReplyOf<typeof listEmerging>> {
  const rows = await readEmerging(tx, workspaceId, MAX_LISTED)
  const numbers = rows.map((row) => row.number)
  const evidence = await readEmergingEvidence(tx, workspaceId, numbers, MAX_MENTIONS)
  return {
    total: rows.length < MAX_LISTED ? rows.length : await countEmerging(tx, workspaceId),
    insights: rows.map((row) => ({
      emerging_id: row.number,
      name: row.name,
      summary: row.summary,
      mention_count: row.mentionCount,
      people_count: row.peopleCount,
      first_seen: row.firstSeen?.toISOString() ?? null,
      last_seen: row.lastSeen?.toISOString() ?? null,
      evidence: (evidence.get(row.number) ?? []).map(shortMention),
    })),
  }
}

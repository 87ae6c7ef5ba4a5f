import { ContractError } from '@groundswell/contract/errors.ts'
import type { Thread } from '@groundswell/contract/insights/thread.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { readThread } from '../../feedback/index.ts'
import { readInsight } from '../store.ts'
import { holdsMention } from './store.ts'

/** The conversation around a mention of a shown insight. Throws `not_found` where the mention is not in it. */
export async function threadOf(tx: Tx, workspaceId: string, issueNumber: number, id: string): Promise<Thread> {
  const [itemId = 0, number = 0] = id.split(':').map(Number)
  const insight = await readInsight(tx, workspaceId, issueNumber)
  if (!insight?.shown || !(await holdsMention(tx, workspaceId, issueNumber, itemId, number))) {
    throw new ContractError('not_found', 'This mention is not in this insight')
  }
  const { messages, attributes, earlier, later } = await readThread(tx, workspaceId, itemId)
  return {
    messages: messages.map(({ saidAt, dateKnown, dateOnly, original, itemId: written, ...message }) => ({
      ...message,
      role: written === null ? ('agent' as const) : ('customer' as const),
      date: saidAt.toISOString(),
      ...(dateKnown ? {} : { date_known: false }),
      ...(dateOnly ? { date_only: true } : {}),
      ...(original === null || written !== itemId ? {} : { original }),
      here: written === itemId,
    })),
    attributes: Object.entries(attributes).map(([name, value]) => ({ name, value })),
    earlier,
    later,
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import type { FeedbackItem } from '@groundswell/connectors/connector.ts'
import { type CompanyMessage, loadCompany, loadTrickle } from '@groundswell/connectors/sandbox/index.ts'
import { fileConnection } from '../features/connections/index.ts'
import { storeItems } from '../features/feedback/index.ts'
import { requestGrouping } from '../features/insights/index.ts'
import { inWorkspace } from '../platform/db/tenant.ts'
import type { Services } from '../platform/services.ts'
import type { DemoClient } from './client.ts'

const WEEKS = 10
const MINUTE_MS = 60_000
const WEEK_MINUTES = 7 * 24 * 60
const BETWEEN_WEEKS_MS = 700
const BETWEEN_MESSAGES_MS = 4_000

/** Imports the company's ten weeks, a file a week, and says how far it is. Dates are moved so that the last message is of today or
 * yesterday, at its own time of day. */
export async function feedWeeks(
  client: DemoClient,
  now: Date,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const messages = loadCompany()
  const start = startOf(messages, now)
  let sent = 0
  for (let week = 0; week < WEEKS; week += 1) {
    const rows = messages.filter((message) => Math.floor(message.at / WEEK_MINUTES) === week)
    if (rows.length === 0) continue
    const body = rows.map((row) => JSON.stringify(toRow(row, start))).join('\n')
    await client.importFile(`Tallybrook week ${week + 1}.jsonl`, body, signal)
    sent += rows.length
    const insights = await client.insightCount()
    say(`${String(sent).padStart(4)} of ${messages.length} messages in, ${insights} insights so far`)
    await pause(BETWEEN_WEEKS_MS, undefined, { signal })
  }
}

/** Lets the remaining messages come in one by one, as if customers were writing now. */
export async function feedTrickle(services: Services, workspaceId: string, signal: AbortSignal): Promise<number> {
  const messages = loadTrickle()
  const group = requestGrouping(services)
  for (const message of messages) {
    await pause(BETWEEN_MESSAGES_MS, undefined, { signal })
    await inWorkspace(services.db, workspaceId, async (tx) => {
      const connection = await fileConnection(tx, workspaceId)
      const item: FeedbackItem = {
        externalId: message.id,
        text: message.text,
        author: `${message.author}, ${message.company}`,
        at: services.now(),
        link: null,
        thread: message.thread,
        place: message.channel ? `#${message.channel}` : 'Ticket',
      }
      await storeItems(tx, workspaceId, connection.id, [item])
      await group(tx, workspaceId)
    })
  }
  return messages.length
}

/** The midnight (UTC) from which the company's minutes count. */
function startOf(messages: CompanyMessage[], now: Date): number {
  const dayMs = 24 * 60 * MINUTE_MS
  const last = Math.max(...messages.map(({ at }) => at)) * MINUTE_MS
  return Math.floor((now.getTime() - last) / dayMs) * dayMs
}

function toRow(message: CompanyMessage, startMs: number) {
  return {
    id: message.id,
    text: message.text,
    author: `${message.author}, ${message.company}`,
    date: new Date(startMs + message.at * MINUTE_MS).toISOString(),
    thread: message.thread ?? message.id,
    channel: message.channel ? `#${message.channel}` : 'Ticket',
  }
}

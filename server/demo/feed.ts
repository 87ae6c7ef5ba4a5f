import { setTimeout as pause } from 'node:timers/promises'
import {
  type CompanyMessage,
  type DemoProviders,
  loadCompany,
  loadTrickle,
  type SlackSandbox,
} from '@groundswell/connectors/sandbox/index.ts'
import type { DemoClient } from './client.ts'

/** The tile through which the company's channels are read. */
export const CHAT = 'slack'

const MINUTE_MS = 60_000
const WEEK_MINUTES = 7 * 24 * 60
const BETWEEN_WEEKS_MS = 500
const POLL_INTERVAL_MS = 500
const BETWEEN_MESSAGES_MS = 4_000

/** Imports these tickets, one file per week. Dates are moved so that the last week ends now, as in the channels. */
export async function feedTickets(
  client: DemoClient,
  tickets: readonly CompanyMessage[],
  now: Date,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const end = Math.max(...loadCompany().map(({ at }) => at))
  const start = now.getTime() - end * MINUTE_MS
  for (let week = 0; week * WEEK_MINUTES <= end; week += 1) {
    const rows = tickets.filter(({ at }) => Math.floor(at / WEEK_MINUTES) === week)
    if (rows.length === 0) continue
    const body = rows.map((row) => JSON.stringify(toRow(row, new Date(start + row.at * MINUTE_MS)))).join('\n')
    await client.importFile(`Tallybrook tickets, week ${week + 1}.jsonl`, body, signal)
    await pause(BETWEEN_WEEKS_MS, undefined, { signal })
  }
  say(`${tickets.length} tickets imported, ${await client.insightCount()} insights so far`)
}

/** Reports the progress of the sources' syncs until all are finished. */
export async function watchSyncs(
  client: DemoClient,
  tiles: readonly string[],
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  let reported = 0
  for (;;) {
    const all = await client.progress(tiles)
    const read = all.reduce((sum, one) => sum + one.read, 0)
    const errors = all.flatMap(({ label, error }) => (error === null ? [] : [`${label}: ${error}`]))
    if (read > reported)
      say(
        `${String(read).padStart(4)} messages read from ${tiles.length} sources${errors.map((one) => `; ${one}`).join('')}`,
      )
    reported = Math.max(reported, read)
    if (!all.some(({ syncing }) => syncing)) return
    await pause(POLL_INTERVAL_MS, undefined, { signal })
  }
}

/** Sends the remaining messages one by one, as if customers were writing now: in the channels, or as tickets. */
export async function feedTrickle(
  client: DemoClient,
  slack: SlackSandbox,
  posts: DemoProviders['posts'],
  signal: AbortSignal,
): Promise<number> {
  const messages = loadTrickle()
  for (const message of messages) {
    await pause(BETWEEN_MESSAGES_MS, undefined, { signal })
    const { id, channel, author, text, thread } = message
    const post = posts.get(channel ?? '')
    if (channel !== null && post) post({ channel, author, text })
    else if (channel !== null) slack.post({ id, channel, author, text, thread })
    else await client.importFile(`Ticket ${id}.jsonl`, JSON.stringify(toRow(message, new Date())), signal)
  }
  return messages.length
}

function toRow(ticket: Omit<CompanyMessage, 'at'>, at: Date) {
  return {
    id: ticket.id,
    text: ticket.text,
    author: `${ticket.author}, ${ticket.company}`,
    date: at.toISOString(),
    thread: ticket.thread ?? ticket.id,
    channel: 'Ticket',
  }
}

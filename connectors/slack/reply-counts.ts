import { type ChannelState, isAfter } from './cursor.ts'

/** Threads of a channel whose number of replies is remembered: the newest. It bounds the cursor. */
const KEPT = 100

/** Remembers how many replies Slack counts in a thread, so that a later round sees that one was deleted. 0 forgets the thread. */
export function rememberCount(channel: ChannelState, ts: string, count: number): void {
  if (count === 0) {
    delete channel.counts[ts]
    return
  }
  channel.counts[ts] = count
  const known = Object.keys(channel.counts)
  if (known.length <= KEPT) return
  delete channel.counts[known.reduce((oldest, other) => (isAfter(oldest, other) ? other : oldest))]
}

import type { CompleteSpan } from '../connector.ts'
import { type ChannelState, isAfter, later, type Thread, type Walk } from './cursor.ts'
import { dateOf, externalId, isFeedback } from './item.ts'
import type { SlackSettings } from './manifest.ts'
import type { MessagePage } from './message-page.ts'
import { rememberCount } from './reply-counts.ts'
import type { Message } from './schema.ts'

/**
 * Slack's lists do not report deletions, but a page of history is complete between its first and its last message: a stored message
 * from that time that is not on the page was deleted. So deletions are found without extra requests. A message posted in the same
 * millisecond as the edge of a page is left out of the span, because it may be on the next page.
 *
 * @param low `walk.low` before the page
 * @param ended the page was the last, and reaches back to `walk.oldest`
 */
export function historySpans(
  settings: SlackSettings,
  id: string,
  channel: ChannelState,
  walk: Walk,
  { page, low, ended }: { page: MessagePage; low: string | null; ended: boolean },
): CompleteSpan[] {
  // At the newer end the span stops at the newest message seen so far: events may have stored newer ones already.
  const top = low === null ? later(walk.top, channel.watermark) : null
  const bottom = ended ? walk.oldest : walk.low
  if ((low === null && top === null) || (!ended && bottom === low)) return []
  const before = low === null ? justAfter(top) : dateOrNull(low)
  const span: CompleteSpan = {
    prefix: prefixOf(settings, id),
    thread: null,
    after: dateOrNull(bottom),
    before,
    ids: idsOf(settings, id, page.messages),
  }
  return [span, ...goneThreads(settings, id, channel, { page, above: bottom, below: low })]
}

/** Threads that had replies and whose first message is no longer there: Slack deletes it with the last reply. */
function goneThreads(
  settings: SlackSettings,
  id: string,
  channel: ChannelState,
  { page, above, below }: { page: MessagePage; above: string | null; below: string | null },
): CompleteSpan[] {
  const here = new Set(page.messages.map(({ ts }) => ts))
  const gone = Object.keys(channel.counts).filter(
    (ts) => !here.has(ts) && isAfter(ts, above) && (below === null || isAfter(below, ts)),
  )
  for (const ts of gone) rememberCount(channel, ts, 0)
  return gone.map((ts) => goneThread(settings, id, ts))
}

/** A thread that no longer exists. */
export function goneThread(settings: SlackSettings, id: string, ts: string): CompleteSpan {
  const thread = externalId(settings.team_id, id, ts)
  return { prefix: prefixOf(settings, id), thread, after: null, before: null, ids: [] }
}

/** One page of replies, oldest first. `ended`: it was the last, and as many replies came as Slack counts. */
export function threadSpan(
  settings: SlackSettings,
  id: string,
  thread: Thread,
  replies: readonly Message[],
  ended: boolean,
): CompleteSpan | null {
  const newest = replies.reduce<string | null>((last, { ts }) => later(last, ts), null)
  if (!ended && newest === null) return null
  return {
    prefix: prefixOf(settings, id),
    thread: externalId(settings.team_id, id, thread.ts),
    after: dateOrNull(thread.last ?? thread.oldest),
    before: ended ? null : dateOrNull(newest),
    ids: idsOf(settings, id, replies),
  }
}

const prefixOf = ({ team_id }: SlackSettings, id: string) => externalId(team_id, id, '')
const dateOrNull = (ts: string | null) => (ts === null ? null : dateOf(ts))
const justAfter = (ts: string | null) => (ts === null ? null : new Date(dateOf(ts).getTime() + 1))

/** The messages that are feedback. One that no longer is, such as one whose text was removed, is treated as deleted. */
function idsOf(settings: SlackSettings, id: string, messages: readonly Message[]): string[] {
  return messages
    .filter((message) => isFeedback(message, settings))
    .map(({ ts }) => externalId(settings.team_id, id, ts))
}

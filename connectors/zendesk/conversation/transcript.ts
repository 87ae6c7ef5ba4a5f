import { htmlText } from '../../kit/text/html-text.ts'
import type { Comment } from '../schema.ts'

/** One message of a conversation. `seconds`: its time of day, in an unknown time zone. */
export type Line = { seconds: number; speaker: string; text: string }

/** A conversation as text: each message begins with a time, and if somebody said it, with a name. */
const LINE_START = /^[ \t]*\((\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?([ap])\.?m\.?)?\)[ \t]+/gim
/** Where the line breaks were lost, only a whole time and a name begin the next message. */
const WITHIN = /[ \t]\((\d{1,2}):(\d{2}):(\d{2})(?: ?([ap])\.?m\.?)?\)[ \t]+(?=[^:\n()*]{1,80}: )/gi
const SPEAKER = /^([^:\n]{1,80}):(?:[ \t\n]+|$)/
/** What the provider notes about the conversation, and that somebody sent a file. */
const NOTE = /^\*\*\*|\*\*\*$/
const UPLOADED = / uploaded$/i
/** Above the first message. */
const HEADING = /^(?:chat|conversation)\b/i
const DAY = 86_400

/**
 * The messages of a comment that is the transcript of a conversation, or null. `isMessaging`: the ticket's channel has transcripts, so
 * any text of this form is one; elsewhere, as in a mail that quotes a log, only one in which `requester` and somebody else speak.
 */
export function transcriptOf(comment: Comment, isMessaging: boolean, requester: string | null): Line[] | null {
  const text = plainText(comment)
  const starts = startsIn(text)
  const heading = text.slice(0, starts[0]?.from ?? text.length).trim()
  if (starts.length === 0) return null
  const bySystem = (comment.author_id ?? -1) <= 0
  if (!bySystem && heading !== '' && !HEADING.test(heading)) return null
  const lines = starts.flatMap(({ to, seconds }, index) => lineOf(text.slice(to, starts[index + 1]?.from), seconds))
  if (bySystem) return lines.length > 0 || heading === '' ? lines : null
  if (lines.length === 0) return null
  if (isMessaging) return lines
  const speakers = new Set(lines.map(({ speaker }) => nameKey(speaker)))
  return requester !== null && speakers.size > 1 && speakers.has(nameKey(requester)) ? lines : null
}

/** Names are equal whatever their case, width and spaces. */
export const nameKey = (name: string) => name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()

/**
 * When each message was sent. Transcripts have UTC where the last message then precedes the comment by less than an hour; otherwise
 * the time zone is not known, and the last message is as old as the comment.
 */
export function timesOf(lines: readonly Line[], created: Date): Date[] {
  const end = Math.floor(created.getTime() / 1000)
  const last = lines.at(-1)?.seconds ?? 0
  const sinceLast = ((((end % DAY) - last) % DAY) + DAY) % DAY
  let time = sinceLast < 3300 ? end - sinceLast : end
  let later = last
  const times: Date[] = []
  for (const { seconds } of lines.toReversed()) {
    time -= (later - seconds + DAY) % DAY
    later = seconds
    times.push(new Date(time * 1000))
  }
  return times.toReversed()
}

type Start = { from: number; to: number; seconds: number }

function startsIn(text: string): Start[] {
  const found = new Map<number, Start>()
  for (const pattern of [LINE_START, WITHIN]) {
    for (const match of text.matchAll(pattern)) {
      const [whole, hours, minutes, seconds = '0', half] = match
      const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hours)
      if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) continue
      const to = match.index + whole.length
      found.set(to, { from: match.index, to, seconds: hour * 3600 + Number(minutes) * 60 + Number(seconds) })
    }
  }
  const starts = [...found.values()].toSorted((a, b) => a.from - b.from)
  // Without a first line that begins like this, a time within a line is just a time.
  return starts[0] && /(?:^|\n)[ \t]*$/.test(text.slice(0, starts[0].from)) ? starts : []
}

function lineOf(part: string, seconds: number): Line[] {
  const speaker = SPEAKER.exec(part)
  const name = speaker?.[1]?.trim() ?? ''
  const text = part.slice(speaker?.[0].length ?? 0).trim()
  return name === '' || text === '' || NOTE.test(part.trim()) || UPLOADED.test(name)
    ? []
    : [{ seconds, speaker: name, text }]
}

/** All of it: the text of a conversation is no mail, so nothing in it is a quotation or a signature. */
function plainText({ plain_body, body, html_body }: Comment): string {
  const plain = plain_body || body
  const text = plain ? plain : Object.values(htmlText(html_body ?? '')).join('\n')
  return text.replaceAll('\0', '').replaceAll('\r\n', '\n').replaceAll('\u00a0', ' ').toWellFormed()
}

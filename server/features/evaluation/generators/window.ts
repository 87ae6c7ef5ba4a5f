import type { Grid } from './grid.ts'

/** One message of feedback. `at`: milliseconds since 1970. */
export type WindowMessage = {
  id: string
  source: string
  text: string
  author: string | null
  at: number
  thread?: string
}

/** The messages of one source in a range of time, oldest first. Both ends are ISO dates, and both are included. */
export type Window = { source_id: string; datetime_from: string; datetime_to: string; messages: WindowMessage[] }

const DAY_MS = 24 * 3_600_000
const SECOND_MS = 1_000

/** The source of a window with messages from several sources. */
const ALL_SOURCES = 'All sources'

/** The windows of a grid that hold enough messages: by source, then by time. */
export function windowsOf(messages: readonly WindowMessage[], { windows }: Pick<Grid, 'windows'>): Window[] {
  const asked = windows?.source_ids
  const isTogether = windows?.together ?? false
  const chosen = isTogether && asked ? messages.filter(({ source }) => asked.includes(source)) : messages
  const bySource = Map.groupBy(chosen, ({ source }) => (isTogether ? ALL_SOURCES : source))
  const sources = (isTogether ? undefined : asked) ?? [...bySource.keys()].toSorted()
  return sources.flatMap((source_id) => {
    const own = (bySource.get(source_id) ?? []).toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
    return rangesOf(own, windows).flatMap(([from, end]) => {
      const within = own.filter(({ at }) => at >= from && at < end)
      if (within.length < (windows?.min_messages ?? 1)) return []
      return [{ source_id, datetime_from: isoOf(from), datetime_to: isoOf(end - SECOND_MS), messages: within }]
    })
  })
}

/** The ranges of the windows, in epoch milliseconds: each includes its start and excludes its end. */
function rangesOf(messages: readonly WindowMessage[], windows: Grid['windows']): [number, number][] {
  if (!windows) {
    const [first, last] = [messages[0], messages.at(-1)]
    return first && last ? [[first.at, last.at + SECOND_MS]] : []
  }
  const from = Date.parse(windows.datetime_from)
  const to = Date.parse(windows.datetime_to)
  const length = windows.days === undefined ? Math.max(SECOND_MS, to - from) : windows.days * DAY_MS
  const ranges: [number, number][] = []
  for (let start = from; start < to; start += length) ranges.push([start, Math.min(to, start + length)])
  return ranges
}

function isoOf(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z')
}

/**
 * The messages as one text: `[2026-09-14 10:40] Umar: We removed 6 people`, in UTC. Further lines of a message are indented, so that
 * `parseInput` finds each message again, whatever it says.
 */
export function formatInput(messages: readonly Pick<WindowMessage, 'text' | 'author' | 'at'>[]): string {
  return messages
    .map(({ text, author, at }) => {
      const name = (author ?? '').replace(/[\s:]+/g, ' ').trim() || 'Unknown'
      const lines = text.trim().split(/\r\n|[\r\n]/)
      return `[${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}] ${name}: ${lines.join('\n  ')}`
    })
    .join('\n')
}

const MESSAGE_START = /^\[\d{4,}-\d\d-\d\d \d\d:\d\d\] [^:\n]+: /

/** The texts of the messages of a formatted input. Input in another format is one message for each line. */
export function parseInput(input: string): string[] {
  const texts: string[] = []
  for (const line of input.split('\n')) {
    const start = MESSAGE_START.exec(line)
    if (start) texts.push(line.slice(start[0].length))
    else if (line.startsWith('  ') && texts.length > 0) texts.push(`${texts.pop()}\n${line.slice(2)}`)
    else if (line.trim() !== '') texts.push(line)
  }
  return texts
}

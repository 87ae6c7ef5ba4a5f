import { z } from 'zod'

/** The form of a reply: one line for each point, or a message's id alone. `check-reply.ts` decides whether it is accepted. */
export const Readings = z.object({ readings: z.array(z.string()) })

const KINDS = ['problem', 'request', 'question', 'praise'] as const

/** A point as it was replied. `first`, `last`: its sentences, from 1; null: all of the message. `english`: their translation. */
export type RepliedPoint = {
  kind: (typeof KINDS)[number]
  first: number | null
  last: number | null
  point: string
  english?: string
}

/** A line of a reply. `point`: null where the line is the id alone, and undefined where it is not of the form. */
export type RepliedLine = { id: string; point: RepliedPoint | null | undefined }

const LINE = new RegExp(`^(${KINDS.join('|')})(?: (\\d{1,3})(?:-(\\d{1,3}))?)?: (.+)$`, 'su')

/** Reads a line: `id`, or `id kind: point`, `id kind 2: point` or `id kind 2-3: point`, with ` | ` and a translation after it where one is needed. */
export function parseLine(line: string): RepliedLine {
  const [id = ''] = line.split(' ', 1)
  if (line.trim() === id) return { id, point: null }
  const match = LINE.exec(line.slice(id.length + 1))
  if (!match) return { id, point: undefined }
  const [, kind, from, to, rest = ''] = match
  const first = from === undefined ? null : Number(from)
  const [point = '', ...english] = rest.split(' | ')
  return {
    id,
    point: {
      kind: kind as RepliedPoint['kind'],
      first,
      last: to === undefined ? first : Number(to),
      point,
      ...(english.length === 0 ? {} : { english: english.join(' | ') }),
    },
  }
}

/** The line of a point, or of a message without one. */
export function writeLine(id: string, point: RepliedPoint | null): string {
  if (!point) return id
  const { kind, first, last, english } = point
  const places = first === null ? '' : ` ${first === last ? first : `${first}-${last}`}`
  return `${id} ${kind}${places}: ${point.point}${english === undefined ? '' : ` | ${english}`}`
}

import type { Encode } from '../../encoder.ts'
import { speaksToModels } from '../../injection.ts'
import { parseReply } from '../../parse-reply.ts'
import { oneLine, withoutAddresses } from '../../plain-text.ts'
import type { BatchQuestion, ShownMessage } from './question.ts'
import { parseLine, Readings, type RepliedPoint } from './schema.ts'
import { sentencesOf } from './sentences.ts'
import { areSupported } from './support.ts'

/** A point of a reply, at offsets in the original message. */
export type FoundPoint = { start: number; end: number; kind: RepliedPoint['kind']; point: string }

const MAX_POINTS = 3
const MIN_WORDS = 2
const MAX_WORDS = 14
const MAX_LENGTH = 120
/** The smallest batch that is rejected when nearly all of its messages have no point, and the largest share of such messages. */
const MIN_JUDGED = 10
const MAX_EMPTY = 0.75

/**
 * What was read in each message of a batch, in order; null for a message whose points are not acceptable. Null for the whole reply when
 * it is not believed: when it is malformed, leaves a message out, has one twice or an unknown one, finds something in the decoy, or nothing in
 * nearly all messages.
 */
export async function checkReply(
  reply: string,
  batch: readonly ShownMessage[],
  { ids, decoy }: Pick<BatchQuestion, 'ids' | 'decoy'>,
  encode: Encode,
): Promise<(FoundPoint[] | null)[] | null> {
  const parsed = parseReply(reply, Readings)
  if (!parsed) return null
  const byId = pointsById(parsed.readings, [...ids, decoy])
  if (byId?.get(decoy)?.length !== 0) return null
  const replied = ids.map((id) => byId.get(id) as (RepliedPoint | undefined)[])
  const empty = replied.filter((points) => points.length === 0).length
  if (ids.length >= MIN_JUDGED && empty > MAX_EMPTY * ids.length) return null
  const found = replied.map((points, at) => findPoints(points, batch[at] as ShownMessage))
  const claims = found.flatMap((points, at) =>
    (points ?? []).map(({ point, quote, english }) => ({ point, quote, english, before: batch[at]?.before ?? null })),
  )
  const supported = (await areSupported(claims, encode)).values()
  return found.map((points) => {
    if (!points) return null
    const isSupported = points.map(() => supported.next().value === true)
    return isSupported.every(Boolean)
      ? points.map(({ start, end, kind, point }) => ({ start, end, kind, point }))
      : null
  })
}

/** The points of each message; undefined for a line that is not of the form. Null where an id is missing, unknown, or alone and beside a point. */
function pointsById(
  lines: readonly string[],
  ids: readonly string[],
): Map<string, (RepliedPoint | undefined)[]> | null {
  const known = new Set(ids)
  const found = new Map<string, (RepliedPoint | undefined)[]>()
  const alone = new Set<string>()
  for (const line of lines) {
    const { id, point } = parseLine(line)
    const points = found.get(id)
    if (!known.has(id) || alone.has(id) || (points && point === null)) return null
    if (point === null) alone.add(id)
    found.set(id, point === null ? [] : [...(points ?? []), point])
  }
  return found.size === known.size ? found : null
}

/** The points with their places; null when one of them does not have the form of a point, or names a sentence that the message does not have. */
function findPoints(
  points: readonly (RepliedPoint | undefined)[],
  { shown: { plain, starts, ends } }: ShownMessage,
): (FoundPoint & { quote: string; english: string | undefined })[] | null {
  if (points.length > MAX_POINTS) return null
  const sentences = sentencesOf(plain)
  const found = points.map((one) => {
    const [from, to] = [sentences[(one?.first ?? 1) - 1], sentences[(one?.last ?? sentences.length) - 1]]
    if (!one || !from || !to || to.end < from.end || !isPoint(one.point.trim())) return null
    const place = { start: starts[from.start] as number, end: ends[to.end - 1] as number }
    return {
      ...place,
      kind: one.kind,
      point: one.point.trim(),
      quote: plain.slice(from.start, to.end),
      english: one.english,
    }
  })
  const sound = found.filter((one) => one !== null)
  const isDistinct = new Set(sound.map(({ point }) => point.toLowerCase())).size === points.length
  return sound.length === points.length && isDistinct ? sound : null
}

/** One line of a few plain Latin words, without addresses, markup, shouting or anything that addresses a model. */
function isPoint(point: string): boolean {
  const words = point.split(/\s+/).length
  if (point.length > MAX_LENGTH || words < MIN_WORDS || words > MAX_WORDS) return false
  if (point !== oneLine(point) || point !== withoutAddresses(point) || /[<>{}[\]`|*_#\\]/.test(point)) return false
  if (/\p{Lu}{6}/u.test(point)) return false
  return /\p{sc=Latin}/u.test(point) && !/[^\p{sc=Latin}\p{sc=Common}\p{M}]/u.test(point) && !speaksToModels(point)
}

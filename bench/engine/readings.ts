import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { KINDS } from '@groundswell/engine/kinds/kind.ts'
import type { ReadPoint } from '@groundswell/engine/text/prepare.ts'
import { z } from 'zod'

const Reading = z.object({
  id: z.string(),
  points: z
    .array(z.object({ kind: z.enum(KINDS as [string, ...string[]]), point: z.string(), quote: z.optional(z.string()) }))
    .max(3),
})

/** The file with what a language model read in the messages of this file; null: there is none. `readings/README.md` says how they were made. */
export function readingsOf(file: string): string | null {
  const found = path.join(import.meta.dirname, 'readings', `${path.basename(file, '.jsonl')}.jsonl`)
  return existsSync(found) ? found : null
}

/**
 * The rows with the points that were read in them; a point without a quote is about the whole message. Throws where a message has no reading, or a quote
 * is not in its message.
 */
export function withReadings<T extends { id?: string; text: string }>(
  rows: readonly T[],
  file: string,
): (T & { points: ReadPoint[] })[] {
  const readings = new Map(
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => Reading.parse(JSON.parse(line)))
      .map(({ id, points }) => [id, points]),
  )
  return rows.map((row) => {
    const points = readings.get(row.id ?? '')
    if (!points) throw new Error(`${file}: no reading of ${row.id}`)
    return {
      ...row,
      points: points.map(({ quote = row.text, kind, point }) => {
        const start = row.text.indexOf(quote)
        if (start < 0) throw new Error(`${file}: ${row.id} does not say “${quote}”`)
        return { start, end: start + quote.length, kind: kind as ReadPoint['kind'], point }
      }),
    }
  })
}

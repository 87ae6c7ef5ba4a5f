import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { KINDS } from '@groundswell/engine/kinds/kind.ts'
import type { ReadPoint } from '@groundswell/engine/text/prepare.ts'
import { z } from 'zod'
import type { Row } from './stream.ts'

const Reading = z.object({
  id: z.string(),
  points: z
    .array(z.object({ kind: z.enum(KINDS as [string, ...string[]]), point: z.string(), quote: z.string() }))
    .max(3),
})

/** The file with what a language model read in the messages of this file; null: there is none. `readings/README.md` says how they were made. */
export function readingsOf(file: string): string | null {
  const found = path.join(import.meta.dirname, 'readings', `${path.basename(file, '.jsonl')}.jsonl`)
  return existsSync(found) ? found : null
}

/** The rows with the points that were read in them. Throws where a message has no reading, or a quote is not in its message. */
export function withReadings(rows: readonly Row[], file: string): Row[] {
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
      points: points.map(({ quote, kind, point }) => {
        const start = row.text.indexOf(quote)
        if (start < 0) throw new Error(`${file}: ${row.id} does not say “${quote}”`)
        return { start, end: start + quote.length, kind: kind as ReadPoint['kind'], point }
      }),
    }
  })
}

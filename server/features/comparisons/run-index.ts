import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import * as z from 'zod/mini'
import { fitting } from '../../platform/files/fitting.ts'
import { BrokenFile, MAX_JSON_BYTES } from '../../platform/files/json-folder.ts'
import { type ByteRange, readParts } from '../../platform/files/json-parts.ts'
import { GENERATOR_FIELDS, Run } from './run.ts'

const MAX_RUNS = 1_000_000
const LIST = 'runs'
const TOO_LARGE = 'It is larger than 64 MiB. Only a list of runs, or an object with "runs", may be larger'

const Usage = z.object({
  calls: z.number().check(z.minimum(0)),
  tokens: z.number().check(z.minimum(0)),
  seconds: z.number().check(z.minimum(0)),
})

/** What options, filters and the order of comparisons need of a run. */
export type RunHead = Pick<Run, 'generator' | 'source_id' | 'datetime_from' | 'datetime_to'> & {
  /** Equal for equal generators. */
  generatorKey: string
  /** The SHA-256 of its source, dates and input: equal for runs that are one comparison. */
  subject: string
  /** Null when the run does not say it. */
  usage: z.infer<typeof Usage> | null
  /** The size of its input, and of all of it, in bytes. */
  inputBytes: number
  bytes: number
}

/** The runs of a file. */
export type PlacedHead = RunHead & { range: ByteRange }

/** The head of a run whose JSON is `bytes` long. */
export function headOf(run: Run, bytes: number): RunHead {
  const { source_id, datetime_from, datetime_to, formatted_user_input: input } = run
  const usage = Usage.safeParse(run['usage'])
  const generator = Object.fromEntries(GENERATOR_FIELDS.map((name) => [name, run.generator[name] ?? null]))
  return {
    generator,
    generatorKey: JSON.stringify(generator),
    source_id,
    datetime_from,
    datetime_to,
    // By their units, since UTF-8 has the same bytes for every half of a pair.
    subject: createHash('sha256')
      .update(Buffer.from(JSON.stringify([source_id, datetime_from, datetime_to]), 'utf16le'))
      .update(Buffer.from(input, 'utf16le'))
      .digest('base64'),
    usage: usage.success ? usage.data : null,
    inputBytes: Buffer.byteLength(input),
    bytes,
  }
}

/**
 * Reads a file through once: one run, a list of them, or an object with `runs`, item by item. Throws BrokenFile for the first place that does not fit, and for
 * a single run in a file of more than `MAX_JSON_BYTES`.
 */
export async function indexRuns(handle: FileHandle): Promise<PlacedHead[]> {
  const { size } = await handle.stat()
  const generators = new Map<string, Pick<RunHead, 'generator' | 'generatorKey'>>()
  let place: readonly string[] = []
  let heads: PlacedHead[] | null = null
  /** Whether `runs` is there, but is no list. */
  let isOther = false
  let misfit: BrokenFile | null = null
  /** The fields of a file that is one run. */
  const single: Record<string, unknown> = {}

  const placed = (run: Run, range: ByteRange): PlacedHead => {
    const head = headOf(run, range.end - range.start)
    // A file has few generators, which may have long prompts, and many runs.
    const { generator, generatorKey } = generators.get(head.generatorKey) ?? head
    if (head.generator === generator) generators.set(generatorKey, { generator, generatorKey })
    return { ...head, generator, generatorKey, range }
  }

  const isObject = await readParts(handle, {
    list: LIST,
    orOnlyList: true,
    onField(name, value) {
      if (name === LIST) {
        heads = null
        misfit = null
        isOther = true
      } else if (size <= MAX_JSON_BYTES && heads === null && name !== '__proto__') single[name] = value
    },
    onList(at) {
      place = at
      heads = []
      isOther = false
      misfit = null
    },
    onItem(value, range) {
      if (!heads || misfit) return
      if (heads.length === MAX_RUNS) throw new BrokenFile('It has too many runs')
      try {
        heads.push(placed(fitting(Run, value, [...place, heads.length]), range))
      } catch (error) {
        if (!(error instanceof BrokenFile)) throw error
        misfit = error
      }
    },
  })
  if (misfit) throw misfit
  if (heads) return heads
  if (isOther) throw new BrokenFile(`"${LIST}" is missing or is not a list`)
  if (!isObject) throw new BrokenFile('Its content is missing or is not an object')
  if (size > MAX_JSON_BYTES) throw new BrokenFile(TOO_LARGE)
  return [placed(fitting(Run, single), { start: 0, end: size })]
}

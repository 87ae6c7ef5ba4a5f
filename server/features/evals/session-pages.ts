import type { FileHandle } from 'node:fs/promises'
import { type EvalSession, EvaluatedResponse, Evaluators } from '@groundswell/contract/evaluation/evals.ts'
import { fitting } from '../../platform/files/fitting.ts'
import { BrokenFile, MAX_JSON_BYTES, stateOf, withPlainFile } from '../../platform/files/json-folder.ts'
import { type ByteRange, readPart, readParts } from '../../platform/files/json-parts.ts'

/** The largest file that is paged, in bytes. */
const MAX_PAGED_BYTES = 1024 ** 3
const MAX_RESPONSES = 2_000_000
/** The most bytes of a file that one answer has, unless one response evaluation alone is larger. */
const MAX_ANSWER_BYTES = 8 * 1024 ** 2
const KEPT_INDEXES = 4
const ATTEMPTS = 3

export type SessionPages = EvalSession & { total: number }

type PageIndex = { evaluators: EvalSession['evaluators']; starts: number[]; ends: number[] }
type KeptIndex = { state: string; index: Promise<PageIndex> }

type PagedFiles = {
  /** Response evaluations in [from, from + count), as many of them as there are and fit into one answer. Throws BrokenFile. `file`: a real path. */
  read(file: string, from: number, count: number): Promise<SessionPages>
  /** The JSON of a session, as the file has it: every field of it is kept. Throws BrokenFile, also for one of more than `MAX_JSON_BYTES`. */
  readWhole(file: string): Promise<Buffer>
}

/**
 * Sessions read page by page: a file is read through once, which notes where each of its response evaluations is, and again only when it was changed. An
 * index that was made while the file changed is made again.
 */
export function pagedFiles(): PagedFiles {
  const kept = new Map<string, KeptIndex>()

  const indexOf = (file: string, state: string, handle: FileHandle): KeptIndex => {
    const known = kept.get(file)
    const entry = known?.state === state ? known : { state, index: indexFile(handle) }
    // The last used is the last in order; the first one is dropped.
    kept.delete(file)
    kept.set(file, entry)
    const [oldest] = kept.keys()
    if (kept.size > KEPT_INDEXES && oldest !== undefined) kept.delete(oldest)
    return entry
  }

  /** What `read` makes of a file and its index. Null: the file changed meanwhile. */
  const attempt = <T>(file: string, largest: number, read: (handle: FileHandle, index: PageIndex) => Promise<T>) =>
    withPlainFile(file, largest, async (handle): Promise<T | null> => {
      const entry = indexOf(file, stateOf(await handle.stat()), handle)
      const unchanged = async () => stateOf(await handle.stat()) === entry.state
      try {
        const found = await read(handle, await entry.index)
        if (await unchanged()) return found
      } catch (error) {
        // Only what is wrong with the file itself is remembered.
        if (!(error instanceof BrokenFile)) kept.delete(file)
        if (!(error instanceof SyntaxError) && (await unchanged())) throw error
      }
      if (kept.get(file) === entry) kept.delete(file)
      return null
    })

  const attempts = async <T>(...asked: Parameters<typeof attempt<T>>): Promise<T> => {
    for (let tried = 0; tried < ATTEMPTS; tried += 1) {
      const found = await attempt(...asked)
      if (found !== null) return found
    }
    throw new BrokenFile('It is being written')
  }

  return {
    read: (file, from, count) =>
      attempts(file, MAX_PAGED_BYTES, async (handle, index) => ({
        total: index.starts.length,
        evaluators: index.evaluators,
        response_evaluations: await readResponses(handle, rangesOf(index, from, count)),
      })),

    // From its beginning: the index was made through the same handle, or another one.
    readWhole: (file) =>
      attempts(file, MAX_JSON_BYTES, async (handle) => {
        const { size } = await handle.stat()
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(size), 0, size, 0)
        return buffer.subarray(0, bytesRead)
      }),
  }
}

async function indexFile(handle: FileHandle): Promise<PageIndex> {
  let evaluators: unknown
  let list: Pick<PageIndex, 'starts' | 'ends'> | null = null
  let misfit: BrokenFile | null = null
  const isObject = await readParts(handle, {
    list: 'response_evaluations',
    onField(name, value) {
      if (name === 'evaluators') evaluators = value
      if (name === 'response_evaluations') list = null
    },
    onList() {
      list = { starts: [], ends: [] }
      misfit = null
    },
    onItem(value, { start, end }) {
      if (!list || misfit) return
      if (list.starts.length === MAX_RESPONSES) throw new BrokenFile('It has too many response evaluations')
      misfit = misfitOf(value, list.starts.length)
      list.starts.push(start)
      list.ends.push(end)
    },
  })
  return sessionIndex(isObject, evaluators, list, misfit)
}

/** Reports what is wrong in the order in which a whole session is checked. */
function sessionIndex(
  isObject: boolean,
  evaluators: unknown,
  list: Pick<PageIndex, 'starts' | 'ends'> | null,
  misfit: BrokenFile | null,
): PageIndex {
  if (!isObject) throw new BrokenFile('Its content is missing or is not an object')
  const fit = fitting(Evaluators, evaluators, ['evaluators'])
  if (!list) throw new BrokenFile('"response_evaluations" is missing or is not a list')
  if (misfit) throw misfit
  return { evaluators: fit, ...list }
}

function misfitOf(value: unknown, place: number): BrokenFile | null {
  try {
    fitting(EvaluatedResponse, value, ['response_evaluations', place])
    return null
  } catch (error) {
    if (error instanceof BrokenFile) return error
    throw error
  }
}

function rangesOf({ starts, ends }: PageIndex, from: number, count: number): ByteRange[] {
  const ranges: ByteRange[] = []
  let bytes = 0
  for (const [offset, start] of starts.slice(from, from + count).entries()) {
    const end = ends[from + offset] ?? start
    bytes += end - start
    if (ranges.length > 0 && bytes > MAX_ANSWER_BYTES) break
    ranges.push({ start, end })
  }
  return ranges
}

async function readResponses(
  handle: FileHandle,
  ranges: readonly ByteRange[],
): Promise<EvalSession['response_evaluations']> {
  const responses: EvalSession['response_evaluations'] = []
  for (const range of ranges) responses.push(fitting(EvaluatedResponse, await readPart(handle, range)))
  return responses
}

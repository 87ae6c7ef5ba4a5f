import type { FileHandle } from 'node:fs/promises'
import { type EvalSession, EvaluatedResponse, Evaluators } from '@groundswell/contract/evaluation/evals.ts'
import { fitting } from '../../platform/files/fitting.ts'
import { indexedFiles, itemsOfPage, MAX_PAGED_BYTES } from '../../platform/files/indexed-file.ts'
import { BrokenFile, MAX_JSON_BYTES } from '../../platform/files/json-folder.ts'
import { type ByteRange, readPart, readParts } from '../../platform/files/json-parts.ts'

const MAX_RESPONSES = 2_000_000
const KEPT_INDEXES = 4

/** A session with a part of its evaluations; `total`: how many it has. */
export type SessionPages = EvalSession & { total: number }

type PageIndex = { evaluators: EvalSession['evaluators']; starts: number[]; ends: number[] }

type PagedFiles = {
  /** Response evaluations in [from, from + count), as many of them as there are and fit into one answer. Throws BrokenFile. `file`: a real path. */
  read(file: string, from: number, count: number): Promise<SessionPages>
  /** The JSON of a session, as the file has it: every field of it is kept. Throws BrokenFile, also for one of more than `MAX_JSON_BYTES`. */
  readWhole(file: string): Promise<Buffer>
}

/** Sessions read page by page: the index of a file notes where each of its response evaluations is. */
export function pagedFiles(): PagedFiles {
  const files = indexedFiles(indexFile, KEPT_INDEXES)
  return {
    read: (file, from, count) =>
      files.read(file, MAX_PAGED_BYTES, async (handle, index) => ({
        total: index.starts.length,
        evaluators: index.evaluators,
        response_evaluations: await readResponses(handle, rangesOf(index, from, count)),
      })),

    // From its beginning: the index was made through the same handle, or another one.
    readWhole: (file) =>
      files.read(file, MAX_JSON_BYTES, async (handle) => {
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

/** Reports problems in the order in which a whole session is checked. */
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
  const asked = starts.slice(from, from + count).map((start, offset) => ({ start, end: ends[from + offset] ?? start }))
  return asked.slice(0, itemsOfPage(asked.map(({ start, end }) => end - start)))
}

async function readResponses(
  handle: FileHandle,
  ranges: readonly ByteRange[],
): Promise<EvalSession['response_evaluations']> {
  const responses: EvalSession['response_evaluations'] = []
  for (const range of ranges) responses.push(fitting(EvaluatedResponse, await readPart(handle, range)))
  return responses
}

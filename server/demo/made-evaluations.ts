import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type CompanyMessage, loadCompany } from '@groundswell/connectors/sandbox/index.ts'
import { encodeTexts } from '../cli/encode-texts.ts'
import { gradeDirectory, openGrid, parseGrid, type WindowMessage, windowsOf } from '../features/evaluation/index.ts'
import { readConfig } from '../platform/config/config.ts'

const MINUTE_MS = 60_000
/** The generators whose sessions the demo opens; the decision in docs/evaluation.md is between them. */
const COMPARED = ['words', 'sentences']

/** Makes the demo's `comparisons/` and `evals/` in a folder, from the made-up company's feedback and its labels. */
export async function makeEvaluations(folder: string): Promise<void> {
  const grid = parseGrid(await readFile(path.join(import.meta.dirname, 'evaluation-grid.json'), 'utf8'))
  const from = Date.parse(grid.windows?.datetime_from ?? '')
  const company = loadCompany()
  const windows = windowsOf(companyFeedback(from), grid)
  const { signal } = new AbortController()
  const surroundings = {
    llm: undefined,
    encodeAll: (texts: readonly string[]) => encodeTexts(texts, readConfig()),
    encode: async () => null,
    signal,
  }
  const made = await mkdtemp(path.join(tmpdir(), 'groundswell-evaluations-'))
  try {
    const directory = path.join(made, grid.name)
    await openGrid(grid, windows, { folder: directory, surroundings }).run(() => undefined)
    await cp(directory, path.join(folder, 'comparisons', grid.name), {
      recursive: true,
      filter: (file) => !path.basename(file).startsWith('.'),
    })
    await gradeDirectory(directory, { out: path.join(folder, 'evals'), labels: company, signal, only: COMPARED })
  } finally {
    await rm(made, { recursive: true })
  }
}

/** The made-up company's feedback, its first minute at `from` (milliseconds since 1970). Channels are sources; so are all tickets. */
export function companyFeedback(from: number): WindowMessage[] {
  return loadCompany().map((message) => messageOf(message, from))
}

function messageOf({ id, channel, author, company, at, text, thread }: CompanyMessage, from: number): WindowMessage {
  return {
    id,
    source: channel === null ? 'tickets' : `channel-${channel}`,
    text,
    author: `${author} (${company})`,
    at: from + at * MINUTE_MS,
    ...(thread === null ? {} : { thread }),
  }
}

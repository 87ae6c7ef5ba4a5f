import { longSpans, type Span } from '@groundswell/engine/index.ts'
import { type LongMessage, readLong } from '../../../insights/index.ts'
import { speaksToModels } from '../../injection.ts'
import { newMark, writeData } from '../../prompt.ts'
import { readable } from '../../readable.ts'
import { isReading } from '../../reading-choice-store.ts'
import { scanBacklog } from '../../scan.ts'
import { readScanned } from '../../scan-store.ts'
import type { Backlog, Found, Question, TaskRun } from '../../task.ts'
import { applyReply, storePieces } from './apply.ts'

const CASES_PER_RUN = 10
/** The reply repeats the text and has to fit into the output. */
const MAX_TEXT_LENGTH = 3_000

/** Long messages that were grouped since the last scan, the oldest first. */
export async function find({ workspaceId, inside }: TaskRun): Promise<Found<LongMessage>> {
  const { version, messages } = await inside(async (tx) =>
    readLong(tx, workspaceId, await readScanned(tx, workspaceId, 'splits'), CASES_PER_RUN),
  )
  return { cases: messages, more: messages.length === CASES_PER_RUN, version }
}

/** Not due where messages are read: a reading divides them too. */
export const backlog: Backlog<unknown> = {
  ...scanBacklog('splits'),
  isDue: async (tx, workspaceId, askedWith, now) =>
    !(await isReading(tx, workspaceId)) && scanBacklog('splits').isDue(tx, workspaceId, askedWith, now),
}

/** A message that has nothing to ask about stays as the engine divides it. */
export async function prepare(run: TaskRun, message: LongMessage): Promise<Question<LongMessage> | null> {
  const span = spanToAskAbout(message)
  if (!span) {
    await storePieces(run, message, null)
    return null
  }
  const shown = readable(message.text.slice(span.start, span.end))
  return {
    message: writeData({ message: shown.plain }, newMark()),
    apply: (reply) => applyReply(run, message, { span, shown }, reply),
  }
}

/** The text to ask about; null when there is none, or more than one, or one that may not be shown or is too long. */
function spanToAskAbout({ itemId, text }: LongMessage): Span | null {
  const spans = longSpans({ id: String(itemId), text, at: 0 })
  const [span] = spans
  if (!span || spans.length > 1 || span.end - span.start > MAX_TEXT_LENGTH) return null
  const shown = text.slice(span.start, span.end)
  return speaksToModels(shown) || speaksToModels(readable(shown).plain) ? null : span
}

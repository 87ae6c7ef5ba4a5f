import type { JudgeRef } from './answers.ts'
import type { JudgeQuestion } from './questions.ts'

/** Characters shown of a statement that is asked about or is a candidate, and of a member of an issue. Longer ones are cut. */
export const SHOWN_STATEMENT_LENGTH = 160
/** Characters shown of a member of an issue. */
export const SHOWN_MEMBER_LENGTH = 110

const QUESTIONS_PER_CALL = 15
const CHARACTERS_PER_TOKEN = 4
/** Tokens of one call: the instructions and what surrounds the data. */
const CALL_TOKENS = 650
/** Tokens of each text and each reference in the data, and of each question in the reply. */
const TEXT_TOKENS = 6
const REFERENCE_TOKENS = 3
const REPLY_TOKENS = 20
/** A name of an issue. */
const NAME_TOKENS = 12

/** Questions for one call each: those that share most candidates together, since each candidate is shown once. */
export function questionBatches(questions: readonly JudgeQuestion[]): JudgeQuestion[][] {
  const waiting = new Set(questions)
  const batches: JudgeQuestion[][] = []
  for (const first of questions) {
    if (!waiting.delete(first)) continue
    const shown = refsOf(first)
    const batch = [first]
    while (batch.length < QUESTIONS_PER_CALL && waiting.size > 0) {
      const next = mostShared(waiting, shown)
      waiting.delete(next)
      batch.push(next)
      for (const ref of refsOf(next)) shown.add(ref)
    }
    batches.push(batch)
  }
  return batches
}

/** About how many tokens these calls take, with their replies. Four characters per token are typical of English. */
export function estimateTokens(batches: readonly (readonly JudgeQuestion[])[]): number {
  let tokens = 0
  for (const batch of batches) {
    tokens += CALL_TOKENS
    const shown = new Set<JudgeRef>()
    for (const { of, texts, candidates } of batch) {
      tokens += REPLY_TOKENS
      for (const one of [{ ref: of, texts }, ...candidates]) {
        tokens += REFERENCE_TOKENS
        if (!shown.has(one.ref)) tokens += tokensOf(one)
        shown.add(one.ref)
      }
    }
  }
  return Math.round(tokens)
}

function tokensOf({ ref, texts }: { ref: JudgeRef; texts: readonly string[] }): number {
  const [most, more] = typeof ref === 'number' ? [SHOWN_MEMBER_LENGTH, NAME_TOKENS] : [SHOWN_STATEMENT_LENGTH, 0]
  return texts.reduce((sum, { length }) => sum + Math.min(most, length) / CHARACTERS_PER_TOKEN + TEXT_TOKENS, more)
}

function refsOf({ of, candidates }: JudgeQuestion): Set<JudgeRef> {
  return new Set([of, ...candidates.map(({ ref }) => ref)])
}

/** The first of those that need the fewest candidates more. */
function mostShared(questions: ReadonlySet<JudgeQuestion>, shown: ReadonlySet<JudgeRef>): JudgeQuestion {
  let best: JudgeQuestion | null = null
  let least = Number.POSITIVE_INFINITY
  for (const question of questions) {
    let more = 0
    for (const ref of refsOf(question)) if (!shown.has(ref)) more++
    if (more >= least) continue
    least = more
    best = question
  }
  return best as JudgeQuestion
}

/** A person's answer to a suggestion. */
export type Answer = { accepted: boolean; score: number }

/** This many of the newest answers count, and those of the last days: what was wrong then may be right with a better engine. */
export const ANSWERS = { count: 50, days: 90 }
/** With fewer answers nothing is known. */
const MIN_ANSWERS = 20
/** Where a smaller share was accepted, suggestions cost more than they are worth. */
const MIN_ACCEPTED = 0.4

/**
 * The score that a suggestion needs to be shown. Where too few were accepted, that is the median of the accepted ones, so that about half as
 * many right ones and far fewer wrong ones are left; infinite when none was accepted.
 */
export function requiredScore(answers: readonly Answer[]): number {
  const accepted = answers.filter((one) => one.accepted).map(({ score }) => score)
  if (answers.length < MIN_ANSWERS || accepted.length >= MIN_ACCEPTED * answers.length) return 0
  return median(accepted)
}

function median(values: number[]): number {
  const sorted = values.sort((a, b) => a - b)
  const upper = sorted[sorted.length >> 1]
  const lower = sorted[(sorted.length - 1) >> 1]
  return upper === undefined || lower === undefined ? Number.POSITIVE_INFINITY : (lower + upper) / 2
}

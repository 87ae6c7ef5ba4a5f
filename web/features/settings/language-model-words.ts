import type { ErrorRate } from '@groundswell/contract/models/error-rate.ts'
import type { LanguageModel } from '@groundswell/contract/models/language-model.ts'

const counts = new Intl.NumberFormat('en')

/** To two figures, since it is an estimate. */
function about(tokens: number): string {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(tokens, 1))) - 1)
  return counts.format(Math.round(tokens / unit) * unit)
}

/** How many tokens the model will take, shown before it is asked anything: for 1,000 messages, and for those stored now. */
export function estimateText(one: LanguageModel): string {
  const { least, most } = one.tokens_per_thousand
  const rate = `About ${counts.format(least)} to ${counts.format(most)} tokens per 1,000 messages.`
  if (one.messages === 0) return `${rate} Nothing is stored yet.`
  const stored = `${counts.format(one.messages)} ${one.messages === 1 ? 'message' : 'messages'} stored now`
  if (one.tokens === 0) return `${rate} Of the ${stored}, there is nothing left to ask.`
  const asks = [
    one.undecided > 0 ? `${counts.format(one.undecided)} in no insight` : '',
    one.unnamed > 0 ? `${counts.format(one.unnamed)} ${one.unnamed === 1 ? 'insight' : 'insights'} to name` : '',
  ].filter((part) => part !== '')
  return `${rate} For the ${stored}: about ${about(one.tokens)} (${asks.join(', ')}); long messages come on top.`
}

/** How the day's budget of the server is shared; empty without one. */
export function budgetText({ tokens_per_day: perDay }: LanguageModel): string {
  if (perDay === undefined || perDay === null) return ''
  return `The server may use ${counts.format(perDay)} tokens a day, for all workspaces. Only names may use all of it: reading, reviews, long and undecided messages, in this order, questions and evaluation share half. While another workspace waits, one has at most half of what the others have left.`
}

/** An error rate, in percent. */
export function rateText({ rate }: ErrorRate): string {
  return `an estimated error rate of ${Math.round(100 * rate)}%`
}

/** How often the model is wrong about undecided messages; empty before it was asked about any. */
export function judgeErrorText({ judge_errors: errors }: LanguageModel): string {
  if (!errors || errors.asked === 0) return ''
  const { asked, wrong } = errors
  return `Of ${counts.format(asked)} control ${asked === 1 ? 'question' : 'questions'} about messages in no insight, it answered ${counts.format(wrong)} wrong: ${rateText(errors)}, by which its answers are weighed.`
}

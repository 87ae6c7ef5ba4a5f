import type { ReadingState } from '@groundswell/contract/feedback/reading.ts'
import { count, plural } from '../../ui/text/plural.ts'
import { rateText } from './language-model-words.ts'

/** What reading is about now. */
export function readingText({ scope, paused, read, empty, unread, left, chosen_by }: ReadingState): string {
  const done = [
    read > 0 ? `${plural(read, 'message')} read` : '',
    empty > 0 ? `${count(empty)} in which nothing was found` : '',
    unread > 0 ? `${count(unread)} grouped by ${unread === 1 ? 'its' : 'their'} own words` : '',
  ].filter((part) => part !== '')
  const sofar = done.length > 0 ? ` So far: ${done.join(', ')}.` : ''
  if (scope === 'off') return `Off.${sofar || ' Messages are grouped by their own words.'}`
  const state = paused ? 'Paused.' : left > 0 ? `${plural(left, 'message')} to read, the newest first.` : 'Up to date.'
  return `${state}${sofar}${chosen_by === null ? '' : ` Switched on by ${chosen_by}.`}`
}

/** How long reading the stored messages takes, if nothing else limits it than half of the day's budget. */
export function readingTime({ tokens, tokens_per_day: perDay }: ReadingState): string {
  if (perDay === null || perDay <= 0) return ''
  const days = Math.ceil(tokens / (perDay / 2))
  return days <= 1
    ? 'That fits into one day’s budget.'
    : `At half of the day’s budget, that takes about ${count(days)} days.`
}

/** What reading the stored messages may change, in numbers; empty from a server that does not say. */
export function reachText({ reach }: ReadingState): string {
  if (!reach) return ''
  const { insights, insights_to_change: change, ungrouped, kept } = reach
  const parts = [
    insights === 0
      ? 'There is no insight yet.'
      : `${count(change)} of ${plural(insights, 'insight')} may grow, be merged or split, or end.`,
    ungrouped === 0 ? '' : `${plural(ungrouped, 'message')} in no insight may join one.`,
    kept === 0
      ? ''
      : `${plural(kept, 'message')} that people have corrected, or in insights that they have locked, ${kept === 1 ? 'stays' : 'stay'} as ${kept === 1 ? 'it is' : 'they are'}.`,
  ]
  return parts.filter((part) => part !== '').join(' ')
}

/** What reviews would take now; nothing while they have stopped. */
export function reviewText({
  reviews_due: due,
  review_tokens: tokens,
  reviews_stopped: stopped,
}: ReadingState): string {
  if (stopped) return ''
  if (due === undefined || !tokens) return ''
  if (due === 0) return 'No insight is to be reviewed now.'
  return `${plural(due, 'insight')} to review now, for about ${count(tokens.least)} to ${plural(tokens.most, 'token')}.`
}

/** How often the model's reviews are wrong, and what follows if that is too often; empty before there are any. */
export function reviewErrorText({ review_errors: errors, reviews_stopped: stopped }: ReadingState): string {
  if (!errors || errors.asked === 0) return ''
  const rate = `Of ${plural(errors.asked, 'review')} with control questions, ${count(errors.wrong)} ${errors.wrong === 1 ? 'was' : 'were'} wrong: ${rateText(errors)}.`
  if (!stopped) return rate
  return `${rate} That is too often: no insight is reviewed, and nothing that reviews found is carried out any more. What they changed before is in the history of the insights, with undo. Set another model on the server, or start again to measure this one again.`
}

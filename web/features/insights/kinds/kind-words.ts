import type { FeedbackKind } from '@groundswell/contract/feedback/feedback-kind.ts'
import type { Tone } from '../../../ui/badge.tsx'

/** The words for a kind: alone, of several mentions, and after “Marked as”. */
type Words = { label: string; many: string; marked: string; tone: Tone }

const WORDS: Readonly<Record<FeedbackKind, Words>> = {
  problem: { label: 'Problem', many: 'Problems', marked: 'a problem', tone: 'warn' },
  request: { label: 'Request', many: 'Requests', marked: 'a request', tone: 'accent' },
  question: { label: 'Question', many: 'Questions', marked: 'a question', tone: 'plain' },
  praise: { label: 'Praise', many: 'Praise', marked: 'praise', tone: 'good' },
  'small talk': { label: 'Small talk', many: 'Small talk', marked: 'small talk', tone: 'plain' },
}

/** All kinds, in the order in which they are shown and numbered. */
export const KINDS = Object.keys(WORDS) as readonly FeedbackKind[]

/** The labels and the colour of a kind. */
export function wordsOfKind(kind: FeedbackKind): Words {
  return WORDS[kind]
}

/** The label of a kind; an unknown one in an address is shown as it is. */
export function kindLabel(kind: string): string {
  return isKind(kind) ? WORDS[kind].label : kind
}

/** Whether a text from outside names a kind. */
export function isKind(text: string | null): text is FeedbackKind {
  return text !== null && text in WORDS
}

/** Numbers of mentions by kind as text: `9 problems · 1 request`. */
export function countsOfKinds(counts: readonly { kind: FeedbackKind; count: number }[]): string {
  const number = new Intl.NumberFormat()
  return counts
    .map(
      ({ kind, count }) =>
        `${number.format(count)} ${(count === 1 ? WORDS[kind].label : WORDS[kind].many).toLowerCase()}`,
    )
    .join(' · ')
}

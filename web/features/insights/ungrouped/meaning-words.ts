import type { MeaningUse } from '@groundswell/contract/feedback/feedback-search.ts'

const BY_WORDS = 'Searched by words only:'

/** Why meanings were not compared, for people; empty where they were. */
export const MEANING_WORDS: Readonly<Record<MeaningUse, string>> = {
  used: '',
  off: `${BY_WORDS} this server has no sentence encoder.`,
  unavailable: `${BY_WORDS} the sentence encoder cannot be used at the moment.`,
  busy: `${BY_WORDS} the sentence encoder did not answer in time. Search again in a moment.`,
}

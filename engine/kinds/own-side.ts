import { analyse } from '../text/features.ts'
import { classifyKind } from './classify.ts'
import { forEachPhrase, PHRASE_CUES } from './phrase-cues.ts'

const OWN_SIDE = 1 << PHRASE_CUES.indexOf('ownSide')
const CONTACT = 1 << PHRASE_CUES.indexOf('contact')
/** UTF-16 units read of a message: replies show what they are early. */
const MAX_LENGTH = 1_000

/**
 * Whether a message is worded like a reply of a company's own side: it has such a phrase ("sorry to hear", "our team"), and the classifier
 * takes it for small talk, or it has several. Single messages are misjudged both ways: use it on many of one author.
 */
export function isOwnSideWording(message: string): boolean {
  const text = message.slice(0, MAX_LENGTH)
  const { tokens } = analyse(text)
  let phrases = 0
  let end = 0
  forEachPhrase(tokens, (cues, place, length) => {
    if ((cues & (OWN_SIDE | CONTACT)) === 0) return
    if (place >= end) phrases += (cues & OWN_SIDE) !== 0 ? 2 : 1
    end = Math.max(end, place + length)
  })
  if (phrases < 2) return false
  return phrases >= 4 || classifyKind({ text }).kind === 'small talk'
}

import { isOwnSideWording } from './own-side.ts'

/** An author with fewer messages is judged a customer. */
export const MIN_OWN_MESSAGES = 5
/** The least share of an author's messages that must be the own side's. */
const MIN_SHARE = 0.6
/** How many different people the own side writes to, at least: this number, and this share of the messages that address somebody. */
const MIN_PEOPLE = 5
const MIN_PEOPLE_SHARE = 0.25
/** Where some of the messages are worded like a company's, fewer people are enough. */
const MIN_WORDED = 0.2
const MIN_PEOPLE_WORDED = 3

/** The person that a message begins by addressing: `@100231`, `@some_name`. Who addresses three or more at once answers nobody. */
const ADDRESSED = /^\s*@([\p{L}\p{N}_.-]+)(?![\p{L}\p{N}_.-])(?!(?:\s+@\S+){2})/u
const NUMBERED = /^\d{3,}$/

/**
 * Whether messages of one author are those of a company's own side: at least five, and most of them worded like replies of a company
 * or addressed to many different people. Doubtful authors are customers, who must not be lost.
 */
export function isOwnAuthor(messages: readonly string[]): boolean {
  if (messages.length < MIN_OWN_MESSAGES) return false
  const judged = messages.map((text) => {
    const to = ADDRESSED.exec(text)?.[1]?.toLowerCase() ?? null
    return { to, numbered: to !== null && NUMBERED.test(to), worded: isOwnSideWording(text) }
  })
  const share = (is: (one: (typeof judged)[number]) => boolean) => judged.filter(is).length / judged.length
  const worded = share((one) => one.worded)
  if (worded >= MIN_SHARE) return true
  const people = judged.flatMap(({ to }) => to ?? [])
  const different = new Set(people).size
  if (different < people.length * MIN_PEOPLE_SHARE) return false
  if (different >= MIN_PEOPLE && share((one) => one.numbered) >= MIN_SHARE) return true
  if (different < MIN_PEOPLE_WORDED || worded < MIN_WORDED) return false
  return share((one) => one.worded || one.to !== null) >= MIN_SHARE
}

import type { Correction, CorrectionChange, CorrectionRequest } from '@groundswell/contract/corrections.ts'
import { mentionsText, peopleText } from '../mention-words.ts'

type Kind = Correction['kind']

type KindWords = { doing: string; done: string; failed: string }

const KIND_WORDS: Readonly<Record<Kind, KindWords>> = {
  merge: { doing: 'Merging…', done: 'Merged', failed: 'Not merged' },
  split: { doing: 'Splitting…', done: 'Split', failed: 'Not split' },
  move: { doing: 'Moving…', done: 'Moved', failed: 'Not moved' },
  add: { doing: 'Adding…', done: 'Added', failed: 'Not added' },
  create: { doing: 'Creating an insight…', done: 'Insight created', failed: 'Insight not created' },
  reject: { doing: 'Removing…', done: 'Removed', failed: 'Not removed' },
  decline: { doing: 'Declining…', done: 'Declined', failed: 'Not declined' },
  rename: { doing: 'Renaming…', done: 'Renamed', failed: 'Not renamed' },
  lock: { doing: 'Locking…', done: 'Locked', failed: 'Not locked' },
  point: { doing: 'Correcting…', done: 'Corrected', failed: 'Not corrected' },
}
const UNLOCK_WORDS: KindWords = { doing: 'Unlocking…', done: 'Unlocked', failed: 'Not unlocked' }

/** The label of a correction while it waits, once it is applied, and when it failed. */
export function wordsFor(made: { kind: Kind; locked?: boolean | null }): KindWords {
  return made.kind === 'lock' && !made.locked ? UNLOCK_WORDS : KIND_WORDS[made.kind]
}

/**
 * A correction in the history of insight `here`; the number of the other insight, if any, is left for a link after the text.
 */
export function correctionText(one: Correction, here: number): { words: string; other: number | null } {
  const mentions = mentionsText(one.mentions)
  const was = one.issue_number === here
  const other = was ? one.other : one.issue_number
  switch (one.kind) {
    case 'merge':
      return { words: was ? 'Merged into' : 'Absorbed', other }
    case 'split':
      return { words: was ? `${mentions} moved to a new insight` : `Started with ${mentions} from`, other }
    case 'move':
      if (was && other === null) return { words: `${mentions} removed from insights`, other }
      return { words: was ? `${mentions} moved to` : `${mentions} moved here from`, other }
    case 'add':
      return { words: `${mentions} added`, other: null }
    case 'create':
      return { words: `Created from ${mentions}`, other: null }
    case 'reject':
      return { words: `${mentions} marked as not this`, other: was ? null : other }
    case 'decline':
      return { words: `${mentions} declined`, other: null }
    case 'rename':
      return { words: one.name === null ? 'Automatic name restored' : `Renamed to “${one.name}”`, other: null }
    case 'lock':
      return { words: one.locked ? 'Locked' : 'Unlocked', other: null }
    case 'point':
      return { words: `1 mention read as “${one.point ?? ''}”`, other: null }
  }
}

/** The first sentence of a preview: how many mentions move where. */
export function previewText(body: CorrectionRequest, here: number, changes: readonly CorrectionChange[]): string {
  const own = changes.find((one) => one.issue_number === here)
  if (body.kind === 'merge') {
    const people = own ? ` of ${peopleText(own.people_before)}` : ''
    return `${mentionsText(own?.mentions_before ?? 0)}${people} move to #${body.into}; #${here} is removed.`
  }
  if (body.kind === 'rename' || body.kind === 'lock' || body.kind === 'decline' || body.kind === 'point') return ''
  const count = body.mentions.length
  const mentions = mentionsText(count)
  if (body.kind === 'split') return `${mentions} ${count === 1 ? 'becomes' : 'become'} a separate insight.`
  if (body.kind === 'add') return `${mentions} ${count === 1 ? 'joins' : 'join'} #${here}.`
  if (body.kind === 'move' && body.to !== null) return `${mentions} ${count === 1 ? 'moves' : 'move'} to #${body.to}.`
  const ever = body.kind === 'reject' ? ` and will not come back to it` : ''
  return `${mentions} ${count === 1 ? 'leaves' : 'leave'} #${here}${ever}.`
}

/** The outcome of one insight beyond its numbers; empty when there is none. */
export function endText({ becomes, issue_number, mentions_after }: CorrectionChange): string {
  switch (becomes) {
    case 'merged':
      return 'ends'
    case 'new':
      return issue_number === null ? 'new' : ''
    case 'hidden':
      return mentions_after === 0 ? 'no longer shown' : 'not shown until there are more'
    case 'renamed':
    case 'stays':
      return ''
  }
}

/** `5 → 8 mentions`, or `5 mentions` when that does not change. */
export function mentionsInNumbers({ mentions_before, mentions_after }: CorrectionChange): string {
  return mentions_before === mentions_after
    ? mentionsText(mentions_after)
    : `${mentions_before} → ${mentionsText(mentions_after)}`
}

/** `4 → 6 people`, or `4 people` when that does not change. */
export function peopleInNumbers({ people_before, people_after }: CorrectionChange): string {
  return people_before === people_after ? peopleText(people_after) : `${people_before} → ${peopleText(people_after)}`
}

import type { InsightEvent, MoveCause } from '@groundswell/contract/insights/insight-detail.ts'
import { signed } from '../../../ui/text/plural.ts'
import { mentionsText } from '../mention-words.ts'
import { teamLabel } from '../team-status/team-words.ts'

/** The text of an event; the number of another insight is left for a link after it. */
export function eventText({ event, from, to, tag, other, by, count = 0, change }: InsightEvent): string {
  switch (event) {
    case 'created':
      return 'Created'
    case 'grew':
    case 'shrank':
    case 'exchanged':
      return change ? changeText(change) : `${mentionsText(count)} joined`
    case 'renamed':
      return `Renamed from “${from ?? ''}” to “${to ?? ''}”`
    case 'status':
      return statusWords[to ?? ''] ?? `Now ${to ?? 'unknown'}`
    case 'merged':
      return 'Merged into'
    case 'absorbed':
      return 'Absorbed'
    case 'ended':
      return 'Dissolved: its mentions moved elsewhere'
    case 'deleted':
      return 'Deleted'
    case 'restored':
      return 'Deletion undone'
    case 'tagged':
      return to === undefined ? `${tag ?? 'A tag'} removed manually` : `${tag ?? 'A tag'} set to “${to}” manually`
    case 'moved_out':
      return other === undefined ? `${mentionsText(count)} removed from insights` : `${mentionsText(count)} moved to`
    case 'moved_in':
      return other === undefined ? `${mentionsText(count)} moved here` : `${mentionsText(count)} moved here from`
    case 'split_off':
      return `${mentionsText(count)} moved to a new insight`
    case 'split_from':
      return `Started with ${mentionsText(count)} from`
    case 'rejected':
      return `${mentionsText(count)} marked as not this`
    case 'locked':
      return 'Locked'
    case 'unlocked':
      return 'Unlocked'
    case 'undone':
      return `${kindWords[tag ?? ''] ?? 'A correction'} was undone`
    case 'item_gone':
      return `Item ${to ?? ''} no longer exists in the tracker`
    case 'item_renamed':
      return `Item renamed from “${from ?? ''}” to “${to ?? ''}”`
    case 'team_status':
      if (to === undefined) return `No longer ${teamLabel(from ?? '').toLowerCase()}`
      return tag === 'tracker' && by === undefined ? 'Shipped: done in the tracker' : `Team status: ${teamLabel(to)}`
    case 'assigned':
      return to === undefined ? `No longer assigned to ${from ?? 'anybody'}` : `Assigned to ${to}`
    case 'reviewed_out':
      return other === undefined
        ? `The language model moved ${mentionsText(count)} out of the insight`
        : `The language model moved ${mentionsText(count)} to`
    case 'reviewed_in':
      return `The language model moved ${mentionsText(count)} here from`
    case 'point':
      return `Read as “${to ?? ''}” instead of “${from ?? ''}”`
    default:
      return event
  }
}

/** What came and left on a day, as in "+9 new, −14 left by regrouping". */
function changeText({ new: fresh, came, left }: NonNullable<InsightEvent['change']>): string {
  return [
    ...(fresh > 0 ? [`${signed(fresh)} new`] : []),
    ...came.map(({ cause, count }) => `${signed(count)} ${causeWords[cause].came}`),
    ...left.map(({ cause, count }) => `${signed(-count)} ${causeWords[cause].left}`),
  ].join(', ')
}

const causeWords: Record<MoveCause, { came: string; left: string }> = {
  regrouped: { came: 'joined by regrouping', left: 'left by regrouping' },
  clearer: {
    came: 'joined by regrouping: clearly better here',
    left: 'left by regrouping: clearly better elsewhere',
  },
  edited: { came: 'joined when edited', left: 'left when edited' },
  read: { came: 'joined when read again', left: 'left when read again' },
  deleted: { came: 'restored', left: 'deleted' },
  person: { came: 'moved here by a person', left: 'moved out by a person' },
  model: { came: 'placed here by a model', left: 'placed elsewhere by a model' },
}

const kindWords: Record<string, string> = {
  merge: 'A merge',
  split: 'A split',
  move: 'A move',
  add: 'An addition',
  create: 'Its creation',
  reject: 'A “not this”',
  rename: 'A rename',
  lock: 'A lock',
  point: 'A correction of what was read',
}

const statusWords: Record<string, string> = {
  created: 'Can be pushed again',
  pushed: 'Pushed',
  resolved: 'Resolved: closed in the tracker',
  regressed: 'Mentioned again after it was resolved',
  ignored: 'Ignored',
}

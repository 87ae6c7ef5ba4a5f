import { type Import, MAX_OWN_PEOPLE } from '@groundswell/contract/feedback.ts'
import { formatBytes } from '../../ui/text/file-size.ts'
import { count, plural } from '../../ui/text/plural.ts'

/** The progress of an import: its bytes while rows are read, then the rows grouped. */
export function importShare(one: Import): { value: number; total: number | null } {
  if (one.state === 'waiting') return { value: 0, total: null }
  if (one.state === 'running' && one.bytes_read < one.bytes) return { value: one.bytes_read, total: one.bytes }
  const total = one.added + one.replaced
  if (total > 0) return { value: one.grouped, total }
  return { value: 1, total: 1 }
}

/** The same as text. */
export function importText(one: Import): string {
  const rows = one.added + one.replaced + one.known + one.repeated + one.bad + one.context
  const total = one.added + one.replaced
  if (one.state === 'failed') return one.error ?? 'The import stopped.'
  if (one.state === 'waiting') return 'Waiting to start'
  if (one.state === 'asking') return `Waiting for your answer: ${replacesText(one.asks?.replaces ?? 0)}`
  if (one.state === 'running' && one.bytes_read < one.bytes) {
    return `Reading: ${count(rows)} rows, ${formatBytes(one.bytes_read)} of ${formatBytes(one.bytes)}`
  }
  if (one.state === 'running' && rows === 0) return 'Comparing with what is stored'
  if (one.grouped < total) return `Grouping ${count(one.grouped)} of ${count(total)}`
  const parts = [
    [one.replaced, 'with a new text'],
    [one.known, 'already known'],
    [one.repeated, 'repeated'],
    [one.bad, 'bad'],
  ] as const
  const others = parts.filter(([value]) => value > 0).map(([value, what]) => `, ${count(value)} ${what}`)
  return `${count(one.added)} added${others.join('')}`
}

/** What became of replies of the own side, and how to have them counted. */
export function ownSideText(one: Import): string {
  const { context, context_left_out: leftOut, own_people: people } = one
  const most = people.length < MAX_OWN_PEOPLE ? '' : ' or more'
  const by =
    people.length > 0
      ? ` by ${count(people.length)}${most} ${people.length === 1 ? 'person' : 'people'} of your own`
      : ''
  const were = context === 1 ? 'was' : 'were'
  const without =
    leftOut === 0
      ? ''
      : leftOut === context
        ? ' and left out, as the file names no conversations'
        : `; ${count(leftOut)} without a conversation ${leftOut === 1 ? 'was' : 'were'} left out`
  const how = one.own_by === 'author' ? ', as most of what they write reads like replies' : ''
  return (
    `${plural(context, 'reply', 'replies')}${by} ${were} read as context${how}${without}. ` +
    `If that is wrong, import the file again and choose “Feedback, like all others”.${people.length > 0 ? ' They are:' : ''}`
  )
}

/** What undoing an import is called: what programs send keeps growing, and has no file. */
export function undoWords({ name, bytes }: Pick<Import, 'name' | 'bytes'>) {
  return bytes === 0
    ? {
        label: `Delete the messages of ${name}`,
        title: 'Delete these messages?',
        action: 'Delete messages',
        done: 'The messages are deleted',
      }
    : {
        label: `Undo the import of ${name}`,
        title: 'Undo this import?',
        action: 'Undo import',
        done: 'The import is undone',
      }
}

/** The number of stored texts that an import would replace, as text. */
export function replacesText(replaces: number): string {
  return `${plural(replaces, 'row')} will replace stored text`
}

/** The rows whose date cannot be read, of a file that has dates: that it has none was said before it was imported. */
export function undatedRows({
  undated,
  added,
  replaced,
  known,
  repeated,
}: Pick<Import, 'undated' | 'added' | 'replaced' | 'known' | 'repeated'>): number {
  return undated < added + replaced + known + repeated ? undated : 0
}

/** Which dates of the first part of a file cannot be read, and what becomes of their rows. */
export function undatedText({
  rows,
  samples,
  why = null,
}: {
  rows: number
  samples: readonly string[]
  why?: string | null
}): string {
  const dates = samples.map((sample) => `“${sample.slice(0, 60)}”`).join(', ')
  const have = rows === 1 ? '1 of the first rows has a date' : `${count(rows)} of the first rows have a date`
  const outcome =
    rows === 1 ? 'It is imported with “date unknown”, and counts' : 'They are imported with “date unknown”, and count'
  return `${why ?? `${have} that cannot be read: ${dates}`}. ${outcome} as today.`
}

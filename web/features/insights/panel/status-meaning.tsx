/** What each status means: how far the insight is on its way to a destination. The team status beside it says what people decided. */
const MEANINGS: Readonly<Record<string, string>> = {
  created: 'not pushed yet',
  pushed: 'sent to a destination',
  resolved: 'done at the destination',
  regressed: 'said again after it was done',
  ignored: 'never pushed',
}

/** Explains the status that stands before it; nothing for an unknown one of another server. */
export function StatusMeaning({ status }: { status: string }) {
  const meaning = MEANINGS[status]
  return meaning === undefined ? null : <span className="-ml-1.5 text-small">{meaning}</span>
}

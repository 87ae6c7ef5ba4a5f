import { Dialog } from '../../../ui/dialog.tsx'

/** The keys that `useRowKeys` handles. */
const ROW_KEYS: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ['↑', '↓', 'K', 'J'], does: 'Move between insights' },
  { keys: ['X'], does: 'Select the insight in focus' },
  { keys: ['Shift ↓', 'Shift ↑'], does: 'Select the next one too' },
  { keys: ['Enter'], does: 'Open the insight' },
  { keys: ['→', '←'], does: 'Open or close a theme, if insights are grouped by theme' },
  { keys: ['Esc'], does: 'End the selection, close the panel, show all insights, or leave the search box' },
  { keys: ['A'], does: 'Accept the suggestion, review the merge or keep the emerging insight in focus' },
  { keys: ['X'], does: 'Reject or dismiss it' },
  {
    keys: ['1', '2', '3', '4', '5'],
    does: 'Mark the mention in focus: problem, request, question, praise, small talk',
  },
  { keys: ['K'], does: 'Choose its kind from a list' },
  { keys: ['A'], does: 'Assign the open insight' },
  { keys: ['T'], does: 'Set the team status of the open insight' },
  { keys: ['/'], does: 'Search' },
  { keys: ['?'], does: 'Show this list' },
]

/** The list of keys. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title="Keyboard shortcuts">
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2">
        {ROW_KEYS.map(({ keys, does }) => (
          <div key={does} className="contents">
            <dt className="flex gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="inline-flex h-6 min-w-6 items-center justify-center rounded-small border border-line bg-hover px-1.5 font-sans text-small"
                >
                  {key}
                </kbd>
              ))}
            </dt>
            <dd className="text-muted">{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

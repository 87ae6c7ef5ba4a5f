import { Dialog } from '../../ui/overlays/dialog.tsx'
import { PALETTE_KEY } from './palette-key.ts'

type Shortcut = { keys: readonly string[]; does: string }

/** Every key, by where it applies. */
const GROUPS: readonly { where: string; shortcuts: readonly Shortcut[] }[] = [
  {
    where: 'On every screen',
    shortcuts: [
      { keys: [PALETTE_KEY], does: 'Find a screen, an insight or an action' },
      { keys: ['?'], does: 'Show this list' },
    ],
  },
  {
    where: 'In the list of insights',
    shortcuts: [
      { keys: ['↑', '↓', 'K', 'J'], does: 'Move between insights' },
      { keys: ['Enter'], does: 'Open the insight' },
      { keys: ['X'], does: 'Select the insight in focus' },
      { keys: ['Shift ↓', 'Shift ↑'], does: 'Select the next one too' },
      { keys: ['→', '←'], does: 'Open or close a theme, if insights are grouped by theme' },
      { keys: ['/'], does: 'Search' },
      { keys: ['Esc'], does: 'End the selection, close the panel, show all insights, or leave the search box' },
    ],
  },
  {
    where: 'In an open insight',
    shortcuts: [
      { keys: ['A'], does: 'Assign it' },
      { keys: ['T'], does: 'Set its team status' },
      {
        keys: ['1', '2', '3', '4', '5'],
        does: 'Mark the mention in focus: problem, request, question, praise, small talk',
      },
      { keys: ['K'], does: 'Choose its kind from a list' },
    ],
  },
  {
    where: 'On a suggestion in focus',
    shortcuts: [
      { keys: ['A'], does: 'Accept it, review the merge or keep the emerging insight' },
      { keys: ['X'], does: 'Reject or dismiss it' },
    ],
  },
]

/** The list of keys. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title="Keyboard shortcuts" wide>
      <section aria-label="All keys" tabIndex={0} className="grid grid-cols-1 gap-x-8 gap-y-5 rounded sm:grid-cols-2">
        {[GROUPS.slice(0, 2), GROUPS.slice(2)].map((column) => (
          <div key={column[0]?.where} className="flex flex-col gap-5">
            {column.map(({ where, shortcuts }) => (
              <section key={where} aria-label={where}>
                <h3 className="mb-2 font-semibold">{where}</h3>
                <dl className="grid grid-cols-[9rem_1fr] items-start gap-x-4 gap-y-2">
                  {shortcuts.map(({ keys, does }) => (
                    <div key={does} className="contents">
                      <dt className="flex flex-wrap gap-1">
                        {keys.map((key) => (
                          <kbd
                            key={key}
                            className="inline-flex h-6 min-w-6 items-center justify-center rounded-small border border-line bg-hover px-1.5 font-sans text-small"
                          >
                            {key}
                          </kbd>
                        ))}
                      </dt>
                      <dd className="pt-0.5 text-muted">{does}</dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
          </div>
        ))}
      </section>
    </Dialog>
  )
}

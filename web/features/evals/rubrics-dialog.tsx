import { Dialog } from '../../ui/dialog.tsx'
import { KeyValues } from '../../ui/plain-value.tsx'
import type { EvaluatorCell } from './session-view.ts'

type RubricsDialogProps = { evaluator: string; rubrics: EvaluatorCell['rubrics']; onClose: () => void }

/** The rubrics that one evaluator graded. */
export function RubricsDialog({ evaluator, rubrics, onClose }: RubricsDialogProps) {
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title={evaluator}>
      {rubrics.length === 0 ? (
        <p className="text-muted">No graded rubrics available.</p>
      ) : (
        // Focusable, so that a long list can be scrolled with the keyboard.
        <section aria-label="Graded rubrics" tabIndex={0}>
          <ul className="space-y-3">
            {rubrics.map((entries, index) => (
              <li key={index} className="rounded border border-line px-3 py-2">
                <KeyValues entries={entries} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </Dialog>
  )
}

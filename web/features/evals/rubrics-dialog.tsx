import type { EvalScore } from '@groundswell/contract/evaluation/evals.ts'
import { lazyExtra } from '../../ui/loading/lazy-part.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { KeyValues } from '../../ui/text/plain-value.tsx'
import type { ScorePlace } from './score-queries.ts'
import type { EvaluatorCell } from './session-view.ts'

const OwnScoreForm = lazyExtra(async () => (await import('./own-score-form.tsx')).OwnScoreForm)

type RubricsDialogProps = {
  evaluator: string
  cell: EvaluatorCell | undefined
  /** Where the person can give a score; null where the server stores none. */
  scored: { place: ScorePlace; own: EvalScore | undefined } | null
  onClose: () => void
}

/** The rubrics that one evaluator graded, and the person's own score. */
export function RubricsDialog({ evaluator, cell, scored, onClose }: RubricsDialogProps) {
  const rubrics = cell?.rubrics ?? []
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
      {scored ? <OwnScoreForm {...scored} automatic={cell?.value ?? null} onDone={onClose} /> : null}
    </Dialog>
  )
}

import type { EvalScore } from '@groundswell/contract/evaluation/evals.ts'
import { useState } from 'react'
import { EVALUATOR_COLUMN_WIDTH_PX } from '../../ui/constants.ts'
import { placeOf } from './analysis/scored-rows.ts'
import { RubricsDialog } from './rubrics-dialog.tsx'
import type { OwnScores } from './score-queries.ts'
import { type EvalPageView, type EvaluatorCell, formatScore } from './session-view.ts'

const ISSUES_MIN_WIDTH_PX = 200

type EvaluationTableProps = {
  filename: string
  /** From 0. */
  index: number
  evaluators: readonly string[]
  page: EvalPageView
  ownScores: OwnScores
}

/** The notes about one response, beside each evaluator's scores. A click on a cell opens its rubrics. */
export function EvaluationTable({ filename, index: pageIndex, evaluators, page, ownScores }: EvaluationTableProps) {
  const [opened, setOpened] = useState<number | null>(null)
  const ownOf = (evaluator: number) => ownScores?.get(placeOf(pageIndex, evaluator))
  return (
    <section
      aria-label="Evaluation"
      tabIndex={0}
      className="relative mt-3 overflow-x-auto rounded border border-line bg-surface"
    >
      <table
        className="w-full table-fixed border-collapse"
        style={{ minWidth: ISSUES_MIN_WIDTH_PX + evaluators.length * EVALUATOR_COLUMN_WIDTH_PX }}
      >
        <colgroup>
          <col />
          {evaluators.map((name, index) => (
            <col key={`${index} ${name}`} style={{ width: EVALUATOR_COLUMN_WIDTH_PX }} />
          ))}
        </colgroup>
        <thead>
          <tr className="border-b border-line text-left align-bottom text-small text-muted">
            <th scope="col" className="px-4 py-2 font-medium">
              Issues
            </th>
            {evaluators.map((name, index) => (
              <th key={`${index} ${name}`} scope="col" className="px-3 py-2 font-medium break-words">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr className="align-top">
            <td className="px-4 py-3">
              <Issues page={page} />
            </td>
            {page.cells.map((cell, index) => (
              <td key={index} className="h-px border-l border-line p-0">
                <Scores name={evaluators[index] ?? ''} cell={cell} own={ownOf(index)} onOpen={() => setOpened(index)} />
              </td>
            ))}
          </tr>
        </tbody>
      </table>
      {opened === null ? null : (
        <RubricsDialog
          evaluator={evaluators[opened] ?? ''}
          cell={page.cells[opened]}
          scored={ownScores && { place: { filename, page: pageIndex, evaluator: opened }, own: ownOf(opened) }}
          onClose={() => setOpened(null)}
        />
      )}
    </section>
  )
}

function Issues({ page: { notes, issues } }: { page: EvalPageView }) {
  if (notes === null && issues.length === 0) return <p className="text-muted">None noted.</p>
  return (
    <>
      {notes === null ? null : (
        <p dir="auto" className="break-words whitespace-pre-wrap">
          {notes}
        </p>
      )}
      {issues.length === 0 ? null : (
        <ul dir="auto" className="mt-2 list-disc space-y-1 pl-4 first:mt-0">
          {issues.map((issue, index) => (
            <li key={index} className="break-words">
              {issue}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

type ScoresProps = { name: string; cell: EvaluatorCell; own: EvalScore | undefined; onOpen: () => void }

function Scores({ name, cell: { average, scores }, own, onOpen }: ScoresProps) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={onOpen}
      className="flex size-full flex-col items-start px-3 py-3 text-left tabular-nums transition-colors hover:bg-hover focus-visible:-outline-offset-2"
    >
      <span className="block text-title font-semibold">{own ? formatScore(own.score) : average}</span>
      {own ? (
        <span className="block text-small text-accent">
          Your score
          <span className="block text-muted">Automatic: {average}</span>
        </span>
      ) : null}
      {scores.map((response, index) => (
        <span key={index} className="mt-1 block text-small text-muted">
          {response.join(', ')}
        </span>
      ))}
      <span className="sr-only">Show what {name} graded</span>
    </button>
  )
}

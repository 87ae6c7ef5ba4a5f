import { Link } from 'react-router'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Progress } from '../../ui/progress.tsx'
import { count } from '../../ui/text/plural.ts'
import { ImportInsights } from './import-insights.tsx'
import { isGoingOn, isReading, useImport } from './import-queries.ts'
import { ImportQuestion } from './import-question.tsx'
import { importShare, importText, ownSideText, undatedRows } from './import-words.ts'
import { useMeaningProgress } from './meaning-query.ts'
import { ProblemList } from './problem-list.tsx'
import { ReplacedTexts } from './replaced-texts.tsx'
import { UndoButton } from './undo-import.tsx'

type ImportReportProps = { id: string; onAnother: () => void; onUndone: () => void }

/** One import: its progress while it runs, then its result. */
export function ImportReport({ id, onAnother, onUndone }: ImportReportProps) {
  const { data: one, error } = useImport(id)
  const reading = useMeaningProgress()
  if (!one) {
    return error ? (
      <div className="rounded-large border border-line bg-surface p-5">
        <p role="alert" className="text-bad">
          This import could not be loaded. {error.message}
        </p>
        <Button className="mt-4" data-edits onClick={onAnother}>
          Import a file
        </Button>
      </div>
    ) : (
      <div className="skeleton h-40" role="status" aria-label="Loading" />
    )
  }
  const { value, total } = importShare(one)
  const left = one.bad - one.problems.length
  return (
    <div className="rounded-large border border-line bg-surface p-5">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 className="text-lead font-semibold break-all">{one.name}</h2>
        {one.source ? <p className="min-w-0 break-words text-muted">into {one.source.name}</p> : null}
      </div>
      {one.state === 'failed' ? (
        <p role="alert" className="mt-2 rounded bg-bad-soft px-3 py-2 text-bad">
          {importText(one)}
        </p>
      ) : one.state === 'asking' ? (
        <ImportQuestion one={one} onCancelled={onAnother} />
      ) : isGoingOn(one) ? (
        <div className="mt-3">
          <p className="mb-2 text-muted tabular-nums" role="status">
            {importText(one)}
          </p>
          <Progress label={`Import of ${one.name}`} value={value} total={total} />
        </div>
      ) : (
        <p className="mt-1 text-muted" role="status">
          {reading
            ? 'Done. Everything is imported, and grouped by its words.'
            : 'Done. Everything is imported and grouped.'}
        </p>
      )}
      {isReading(one) || one.state === 'asking' ? null : (
        <dl className="mt-4 grid grid-cols-[repeat(auto-fit,minmax(7rem,1fr))] gap-2">
          <Figure name="Added" value={one.added} />
          {one.replaced > 0 ? <Figure name="Text replaced" value={one.replaced} /> : null}
          <Figure name="Already known" value={one.known} />
          {one.repeated > 0 ? <Figure name="Repeated" value={one.repeated} /> : null}
          {undatedRows(one) > 0 ? <Figure name="Date unknown" value={undatedRows(one)} /> : null}
          <Figure name="Bad rows" value={one.bad} bad={one.bad > 0} />
        </dl>
      )}
      {isReading(one) || one.context === 0 ? null : (
        <p className="mt-4 text-muted">
          {ownSideText(one)} <span className="break-words">{one.own_people.join(', ')}</span>
        </p>
      )}
      {one.state === 'done' && !isGoingOn(one) ? <ImportInsights id={one.id} reading={reading} /> : null}
      <ReplacedTexts one={one} />
      <ProblemList problems={one.repeats.map(repeatText)} title="Repeated rows" />
      {one.repeated > one.repeats.length ? (
        <p className="mt-2 text-small text-muted">And {count(one.repeated - one.repeats.length)} more.</p>
      ) : null}
      <ProblemList problems={one.problems} title="Bad rows" />
      {left > 0 ? <p className="mt-2 text-small text-muted">And {count(left)} more.</p> : null}
      {one.state === 'asking' ? null : (
        <div className="mt-5 flex flex-wrap gap-2">
          <Link to="/insights" className={buttonClass('primary')}>
            See the insights
          </Link>
          <Button data-edits onClick={onAnother}>
            Import another file
          </Button>
          {one.bytes > 0 ? <UndoButton one={one} onUndone={onUndone} /> : null}
        </div>
      )}
    </div>
  )
}

function repeatText({ line, of }: { line: number; of: number }) {
  return { line, reason: `Row ${line} repeats row ${of}: it has the same id. The last one counts.` }
}

function Figure({ name, value, bad = false }: { name: string; value: number; bad?: boolean }) {
  return (
    <div className="rounded border border-line px-3 py-2">
      <dt className="text-small text-muted">{name}</dt>
      <dd className={`text-page font-semibold tabular-nums ${bad ? 'text-bad' : ''}`}>{count(value)}</dd>
    </div>
  )
}

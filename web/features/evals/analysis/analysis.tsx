import { useMemo } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Select } from '../../../ui/field.tsx'
import { SaveAs } from '../../../ui/save-as.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { plural } from '../../../ui/text/plural.ts'
import { saveCsv, saveText } from '../../../ui/text/save-file.ts'
import { useEvalNames, useEvalSession } from '../eval-queries.ts'
import { type OwnScores, useOwnScores } from '../score-queries.ts'
import type { EvalView } from '../session-view.ts'
import { AgreementMap } from './agreement-map.tsx'
import type { AnalysisChoice } from './analysis-address.ts'
import { compareSessions, type SessionComparison } from './compare-sessions.ts'
import { RowsTable } from './rows-table.tsx'
import { ScoreHistogram } from './score-histogram.tsx'
import { type ScoredSession, scoredSession } from './scored-rows.ts'
import { sessionCsv, sessionJsonl } from './session-export.ts'

type AnalysisProps = {
  filename: string
  session: EvalView
  index: number
  choice: AnalysisChoice
  onChange: (part: Partial<AnalysisChoice>) => void
  onGoTo: (index: number) => void
}

/** All rows of a session beside a baseline, how its scores are distributed, and how far its evaluators agree. */
export function Analysis({ filename, session, index, choice, onChange, onGoTo }: AnalysisProps) {
  const names = useEvalNames() ?? []
  const own = useOwnScores(filename)
  const scored = useMemo(() => scoredSession(session, numbersOf(own)), [session, own])
  const baseline = useBaseline(choice.baseline)
  const comparison = useMemo(() => compareSessions(scored, baseline.session), [scored, baseline.session])
  const save = (kind: 'csv' | 'jsonl') => {
    const name = `${filename.replace(/\.json$/, '').replaceAll('/', ' ')}.${kind}`
    if (kind === 'csv') saveCsv(name, sessionCsv(session, scored))
    else saveText(name, sessionJsonl(session, scored), 'application/x-ndjson')
  }
  return (
    <div className="mt-2 flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Select
          aria-label="Compare with"
          className="w-full sm:w-80"
          value={choice.baseline}
          onChange={(event) => onChange({ baseline: event.target.value })}
        >
          <option value="">Compare with...</option>
          {names
            .filter((name) => name !== filename)
            .map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
        </Select>
        {choice.baseline === '' ? null : (
          <Switch
            label="Largest regression first"
            checked={choice.byRegression}
            onChange={(byRegression) => onChange({ byRegression })}
          />
        )}
        {own === null ? null : (
          <Switch
            label="Unreviewed only"
            checked={choice.unreviewedOnly}
            onChange={(unreviewedOnly) => onChange({ unreviewedOnly })}
          />
        )}
        <SaveAs save={save} />
      </div>
      {baseline.failed ? (
        <div
          role="alert"
          className="flex flex-wrap items-center gap-3 rounded border border-line bg-bad-soft px-3 py-2 text-bad"
        >
          <p className="mr-auto">Failed to load {choice.baseline}.</p>
          <Button onClick={baseline.again}>Try again</Button>
        </div>
      ) : baseline.loading ? (
        <p role="status" className="text-muted">
          Loading the baseline...
        </p>
      ) : baseline.session ? (
        <Counts comparison={comparison} />
      ) : null}
      <RowsTable
        key={`${choice.baseline} ${choice.byRegression} ${choice.unreviewedOnly}`}
        rows={comparison.rows}
        compared={baseline.session !== null}
        choice={choice}
        index={index}
        onGoTo={onGoTo}
      />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <ScoreHistogram
          session={scored}
          evaluator={choice.evaluator}
          onChange={(evaluator) => onChange({ evaluator })}
        />
        <AgreementMap session={scored} judges={session.judges} />
      </div>
    </div>
  )
}

type Baseline = { session: ScoredSession | null; loading: boolean; failed: boolean; again: () => void }

function useBaseline(filename: string): Baseline {
  const { data, isFetching, isError, refetch } = useEvalSession(filename)
  const own = useOwnScores(filename)
  const session = useMemo(() => (data ? scoredSession(data, numbersOf(own)) : null), [data, own])
  return {
    session,
    loading: isFetching && !data,
    failed: isError && !isFetching && filename !== '',
    again: () => void refetch(),
  }
}

function numbersOf(own: OwnScores): Map<string, number> {
  return new Map([...(own ?? [])].map(([place, { score }]) => [place, score]))
}

function Counts({ comparison: { counts, unmatched, onlyInBaseline } }: { comparison: SessionComparison }) {
  return (
    <div>
      <p role="status" className="flex flex-wrap gap-x-4 gap-y-1 font-medium tabular-nums">
        <span className="text-good">{counts.improved} improved</span>
        <span className="text-bad">{counts.regressed} regressed</span>
        <span>{counts.equal} equal</span>
        {unmatched > 0 ? <span className="text-muted">{unmatched} without a counterpart</span> : null}
      </p>
      <p className="mt-1 text-small text-muted">
        Rows are matched by source, start and input, and evaluators by name. Equal: less than 0.005 apart.
        {onlyInBaseline > 0
          ? ` ${plural(onlyInBaseline, 'row')} of the baseline ${onlyInBaseline === 1 ? 'has' : 'have'} no counterpart here.`
          : ''}
      </p>
    </div>
  )
}

import { Field, Select } from '../../ui/field.tsx'
import { Progress } from '../../ui/progress.tsx'
import { SaveAs } from '../../ui/save-as.tsx'
import { count, plural } from '../../ui/text/plural.ts'
import { saveCsv, saveText } from '../../ui/text/save-file.ts'
import { useAddressParts } from '../../ui/use-address-parts.ts'
import { comparisonCsv, comparisonJsonl } from './comparison-export.ts'
import type { SessionsView } from './comparison-view.ts'
import { generatorAt, type KeptPart } from './flow-address.ts'
import { MEASURES, type Measure, type ScatterPoint, scatterOf } from './generator-scatter.ts'
import { LoadFailure } from './load-failure.tsx'
import { type OpenedSessions, useAllComparisons } from './opened-sessions.ts'
import { UsageTable } from './usage-table.tsx'

const SIDE = 260
const MARGIN = 36

type ComparisonAnalysisProps = { source: string; sessions: OpenedSessions; onReopen: () => void }

/** Two generators over all inputs of a source, which can be saved as a file. Comparisons that are read page by page are all loaded first. */
export function ComparisonAnalysis({ source, sessions, onReopen }: ComparisonAnalysisProps) {
  const { data, error, again, done } = useAllComparisons(sessions)
  if (data) return <WholeAnalysis source={source} sessions={data} />
  if (error)
    return <LoadFailure what="Failed to load all comparisons." error={error} onRetry={again} onReopen={onReopen} />
  return (
    <div className="mt-2 rounded border border-line bg-surface px-4 py-3">
      <p role="status" className="mb-2 text-muted tabular-nums">
        Loading all comparisons: {count(done)} of {count(sessions.total)}
      </p>
      <Progress label="Loading all comparisons" value={done} total={sessions.total} />
    </div>
  )
}

function WholeAnalysis({ source, sessions }: { source: string; sessions: SessionsView }) {
  const { generators, comparisons } = sessions
  const [address, setParts] = useAddressParts<KeptPart>()
  const first = generatorAt(generators, address.get('across'), 0)
  const second = generatorAt(generators, address.get('up'), 1)
  const measure: Measure = MEASURES.find(([name]) => name === address.get('measure'))?.[0] ?? 'responses'
  const points = scatterOf(comparisons, first, second, measure)
  const save = (kind: 'csv' | 'jsonl') => {
    const name = `comparisons-${source}.${kind}`
    if (kind === 'csv') saveCsv(name, comparisonCsv(source, sessions))
    else saveText(name, comparisonJsonl(source, sessions), 'application/x-ndjson')
  }
  return (
    <div className="mt-2 rounded border border-line bg-surface px-4 py-3">
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
        <Choice label="Measure" value={measure} onChange={(value) => setParts({ measure: value })} options={MEASURES} />
        <Choice
          label="Across"
          value={String(first)}
          onChange={(value) => setParts({ across: generators[Number(value)] ?? '' })}
          options={namesOf(generators)}
        />
        <Choice
          label="Up"
          value={String(second)}
          onChange={(value) => setParts({ up: generators[Number(value)] ?? '' })}
          options={namesOf(generators)}
        />
        <SaveAs save={save} />
      </div>
      {points.length === 0 ? (
        <p className="py-6 text-center text-muted">No input has responses of both generators.</p>
      ) : (
        <>
          <Scatter points={points} label={describePoints(points)} />
          <p className="mt-2 text-small text-muted">
            {describePoints(points)} A dot is one input; on the line both are equal.
          </p>
        </>
      )}
      <UsageTable />
    </div>
  )
}

function namesOf(generators: readonly string[]): (readonly [string, string])[] {
  return generators.map((name, index) => [String(index), name] as const)
}

function describePoints(points: readonly ScatterPoint[]): string {
  const across = points.filter(({ x, y }) => x > y).length
  const up = points.filter(({ x, y }) => y > x).length
  return `${plural(points.length, 'input')}: more across in ${across}, more up in ${up}, equal in ${points.length - across - up}.`
}

type ChoiceProps = {
  label: string
  value: string
  options: readonly (readonly [string, string])[]
  onChange: (value: string) => void
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <div className="w-full min-w-0 sm:w-52">
      <Field label={label}>
        {({ id }) => (
          <Select id={id} className="w-full" value={value} onChange={(event) => onChange(event.target.value)}>
            {options.map(([key, name]) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  )
}

function Scatter({ points, label }: { points: readonly ScatterPoint[]; label: string }) {
  const most = Math.max(1, ...points.flatMap(({ x, y }) => [x, y]))
  const place = (value: number) => (value / most) * SIDE
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${SIDE + MARGIN + 12} ${SIDE + MARGIN}`}
      className="mt-3 w-full max-w-sm tabular-nums"
    >
      <g transform={`translate(${MARGIN} 8)`} fontSize="11" fill="var(--muted)">
        <path d={`M0 0V${SIDE}H${SIDE}`} fill="none" stroke="var(--line-strong)" />
        <path d={`M0 ${SIDE}L${SIDE} 0`} fill="none" stroke="var(--line-strong)" strokeDasharray="3 4" />
        <text x={-6} y={SIDE} textAnchor="end">
          0
        </text>
        <text x={-6} y={8} textAnchor="end">
          {most}
        </text>
        <text x={SIDE} y={SIDE + 16} textAnchor="end">
          {most}
        </text>
        {points.map((point, index) => (
          <circle
            key={index}
            cx={place(point.x)}
            cy={SIDE - place(point.y)}
            r="5"
            fill="var(--accent)"
            fillOpacity="0.65"
          >
            <title>{`${point.label}: ${point.x} across, ${point.y} up`}</title>
          </circle>
        ))}
      </g>
    </svg>
  )
}

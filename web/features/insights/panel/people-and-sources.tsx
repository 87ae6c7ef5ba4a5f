import type { InsightDetail } from '@groundswell/contract/insights/insight-detail.ts'
import { type ReactNode, useState } from 'react'
import { count, plural, showAllText } from '../../../ui/text/plural.ts'
import { SourceMark, useConnectorName } from '../../connections/index.ts'

const AT_FIRST = 5

/** The people and sources, each with its number of mentions. */
export function PeopleAndSources({ detail: { people, sources, totals } }: { detail: InsightDetail }) {
  const connectorName = useConnectorName(sources.length > 0)
  return (
    <div className="grid grid-cols-1 min-h-24 gap-5 sm:grid-cols-2">
      <Counted
        title="People"
        none="No people are named."
        total={totals?.people}
        note={
          totals && totals.unnamed > 0 && people.length > 0
            ? `${plural(totals.unnamed, 'mention')} without an author`
            : null
        }
        rows={people.map(({ name, mentions }) => ({ key: name, label: name, mentions }))}
      />
      <Counted
        title="Sources"
        none="No sources are known."
        total={totals?.sources}
        rows={sources.map(({ source, place, mentions }) => ({
          key: `${source} ${place}`,
          label: place ? `${connectorName(source)} · ${place}` : connectorName(source),
          mark: <SourceMark source={source} />,
          mentions,
        }))}
      />
    </div>
  )
}

type Row = { key: string; label: string; mark?: ReactNode; mentions: number }

type CountedProps = {
  title: string
  none: string
  rows: readonly Row[]
  /** How many there are: `rows` may be the first of them. */
  total?: number | undefined
  note?: string | null
}

function Counted({ title, none, rows, total = rows.length, note = null }: CountedProps) {
  const [all, setAll] = useState(false)
  return (
    <section className="min-w-0">
      <h3 className="font-semibold">
        {title} <span className="font-normal text-muted tabular-nums">{total > 0 ? count(total) : ''}</span>
      </h3>
      {rows.length === 0 ? <p className="mt-1 text-muted">{none}</p> : null}
      <ul className="mt-1">
        {(all ? rows : rows.slice(0, AT_FIRST)).map(({ key, label, mark, mentions }) => (
          <li key={key} className="flex h-6 items-center gap-2">
            {mark}
            <span dir="auto" className="min-w-0 flex-1 truncate" title={label}>
              {label}
            </span>
            <span className="text-muted tabular-nums">{mentions}</span>
          </li>
        ))}
      </ul>
      {rows.length > AT_FIRST ? (
        <button
          type="button"
          aria-expanded={all}
          onClick={() => setAll(!all)}
          className="rounded-small text-small text-accent hover:underline"
        >
          {all ? 'Show fewer' : showAllText(rows.length, total)}
        </button>
      ) : null}
      {note ? <p className="text-small text-muted">{note}</p> : null}
    </section>
  )
}

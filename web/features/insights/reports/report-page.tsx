import { getReport, REPORT_PARTS, type Report } from '@groundswell/contract/reports.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChartColumn, Download, Table } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Input, Select } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { lazyExtra, lazyPart } from '../../../ui/loading/lazy-part.tsx'
import { Page } from '../../../ui/page.tsx'
import { saveCsv } from '../../../ui/text/save-file.ts'
import { zoneText } from '../../../ui/text/time-zones.ts'
import { useUserData } from '../../accounts/index.ts'
import { call } from '../../client/index.ts'
import { useConnectorName } from '../../connections/index.ts'
import { daysBeyond, OlderData } from './older-data.tsx'
import { PartInsights } from './part-insights.tsx'
import { PRESETS, type ReportChoice, readReportChoice, withParts } from './report-address.ts'
import { ReportChanges } from './report-changes.tsx'
import { queryOf } from './report-query.ts'
import { ReportRows } from './report-rows.tsx'
import { ReportTable } from './report-table.tsx'
import {
  changeText,
  countText,
  dayText,
  insightsOf,
  PART_WORDS,
  partLabel,
  partlyKnownText,
  type ReportRow,
  reportCsv,
} from './report-words.ts'

const AttributeFilter = lazyExtra(async () => (await import('../filters/attribute-filter.tsx')).AttributeFilter)

/** The charts' library is loaded with the first chart. Without it the numbers are in the rows below it and in the table. */
const ReportChart = lazyPart(async () => (await import('./report-chart.tsx')).ReportChart, {
  waiting: () => <div className="skeleton h-78" />,
})

/** Precedes the name of an attribute in the choice of dimension. */
const BY_ATTRIBUTE = 'attribute:'
const FIRST_DAY = '2000-01-01'

/** /reports: mentions over time, compared with the previous period, as a chart or as a table. */
export function ReportPage() {
  const [address, setAddress] = useSearchParams()
  const [now] = useState(() => Date.now())
  const zone = useUserData()?.workspace?.time_zone ?? 'UTC'
  const choice = readReportChoice(address, now, zone)
  const { by, attributes } = choice
  const query = queryOf(choice)
  const change = (parts: Record<string, string | null>) => setAddress((old) => withParts(old, parts), { replace: true })
  const report = useQuery({
    queryKey: ['report', zone, query],
    queryFn: () => call(getReport, { query }),
    placeholderData: keepPreviousData,
    retry: false,
  })
  const connectorName = useConnectorName(by === 'source')
  const data = report.data
  // While another report is loading, the parts of the previous one are still shown.
  const beyond = data ? daysBeyond(data) : null
  const offer = beyond ? <OlderData days={beyond} onShow={() => change({ ...beyond, range: null })} /> : null
  const rows = data ? rowsOf(data, report.isPlaceholderData ? 'none' : by, attributes, connectorName) : []
  return (
    <Page
      title="Reports"
      lead={`Mentions over time, by the day they were said. Days in ${zoneText(data?.time_zone ?? zone)}.`}
      usable={!report.isPending}
      actions={<Choices choice={choice} tags={data?.tags ?? []} shownTag={data?.tag ?? null} onChange={change} />}
    >
      {report.isError ? (
        <EmptyState
          title="The report could not be loaded"
          actions={<Button onClick={() => void report.refetch()}>Try again</Button>}
        >
          {report.error.message}
        </EmptyState>
      ) : !data ? (
        <div role="status" aria-label="The report is loading" className="flex flex-col gap-4">
          <div className="skeleton h-10" />
          <div className="skeleton h-24" />
        </div>
      ) : data.all.total + data.all.previous === 0 && attributes !== '' ? (
        <EmptyState
          icon={<ChartColumn size={28} aria-hidden />}
          title="No mentions with these attributes in this period"
          actions={<Button onClick={() => change({ attributes: null })}>Show all mentions</Button>}
        >
          Choose a longer period, or other values.
        </EmptyState>
      ) : data.all.total + data.all.previous === 0 ? (
        <EmptyState
          icon={<ChartColumn size={28} aria-hidden />}
          title={data.first_day === null ? 'No mentions yet' : 'No mentions in this period'}
          actions={
            offer ?? (
              <>
                <Link to="/integrations" className={buttonClass()}>
                  Connect a source
                </Link>
                <Link to="/import" className={buttonClass()}>
                  Import a file
                </Link>
              </>
            )
          }
        >
          {beyond
            ? `All mentions are ${beyond.to < data.from ? 'older' : 'newer'}.`
            : data.first_day === null
              ? 'Reports show how often customers say what, as soon as there is feedback.'
              : 'Choose a longer period, or add more feedback.'}
        </EmptyState>
      ) : (
        <div aria-busy={report.isFetching || undefined} className="flex flex-col gap-6">
          <Summary report={data} choice={choice} rows={rows} onChange={change} />
          {data.all.total === 0 && offer ? <p className="text-muted">All mentions are older. {offer}</p> : null}
          <ReportChanges query={query} compared={data.all.previous > 0} />
          {choice.asTable ? (
            <ReportTable report={data} rows={rows} />
          ) : (
            <>
              <ReportChart report={data} rows={rows} />
              {by === 'none' ? (
                <section className="rounded-large border border-line bg-surface p-4">
                  <h2 className="mb-2 font-semibold">Insights behind them</h2>
                  <PartInsights query={query} part={null} table={null} before={data.all.previous} />
                </section>
              ) : rows.length > 1 ? (
                <ReportRows report={data} rows={rows.slice(1)} query={query} />
              ) : null}
            </>
          )}
        </div>
      )}
    </Page>
  )
}

function rowsOf(
  report: Report,
  by: ReportChoice['by'],
  attributes: string,
  connectorName: (id: string) => string,
): ReportRow[] {
  const { tag, attribute = null } = report
  const all = { label: 'All mentions', series: report.all, to: null }
  const parts = by === 'none' ? [] : report.series
  return [
    all,
    ...parts.map((series) => ({
      label: partLabel(series, by, connectorName),
      series,
      to: insightsOf(series.key, by, { tag, attribute, attributes }),
    })),
    ...(by !== 'none' && report.others ? [{ label: 'All others', series: report.others, to: null }] : []),
  ]
}

type ChoicesProps = {
  choice: ReportChoice
  tags: readonly string[]
  shownTag: string | null
  onChange: (parts: Record<string, string | null>) => void
}

/** The period of the report, and what mentions are broken down by. */
function Choices({ choice, tags, shownTag, onChange }: ChoicesProps) {
  const { range, from, to, by, attribute, attributes } = choice
  const { data } = useQuery({
    queryKey: ['attributes'],
    queryFn: async () => (await import('../filters/attribute-filter.tsx')).loadAttributes(),
  })
  const names = data?.attributes.map(({ name }) => name) ?? []
  const byName = attribute === undefined || names.includes(attribute) ? names : [...names, attribute]
  // As in the address: the report puts them in order, and one may be the later one while both are being changed.
  const [address] = useSearchParams()
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        aria-label="Time"
        value={range}
        onChange={({ target }) =>
          onChange(
            target.value === 'custom' ? { range: null, from, to } : { range: target.value, from: null, to: null },
          )
        }
      >
        {PRESETS.map((one) => (
          <option key={one.value} value={one.value}>
            {one.label}
          </option>
        ))}
        <option value="custom">Custom dates</option>
      </Select>
      {range === 'custom' ? (
        <Form
          className="flex w-full gap-1 sm:contents"
          onSubmit={() => undefined}
          onChange={({ currentTarget }) => {
            const [first, last] = currentTarget.querySelectorAll('input')
            if (first?.validity.valid && last?.validity.valid)
              onChange({ from: first.value, to: last.value, range: null })
          }}
        >
          <DayField label="From" name="from" day={address.get('from') ?? from} />
          <DayField label="To" name="to" day={address.get('to') ?? to} />
        </Form>
      ) : null}
      <Select
        aria-label="Break down by"
        value={by === 'attribute' ? `${BY_ATTRIBUTE}${attribute}` : by}
        onChange={({ target: { value } }) =>
          onChange(
            value.startsWith(BY_ATTRIBUTE)
              ? { by: 'attribute', attribute: value.slice(BY_ATTRIBUTE.length), tag: null }
              : { by: value === 'none' ? null : value, attribute: null, tag: null },
          )
        }
      >
        {REPORT_PARTS.filter((part) => part !== 'attribute').map((part) => (
          <option key={part} value={part}>
            {PART_WORDS[part]}
          </option>
        ))}
        {byName.length > 0 ? (
          <optgroup label="Attributes">
            {byName.map((name) => (
              <option key={name} value={`${BY_ATTRIBUTE}${name}`}>
                By {name}
              </option>
            ))}
          </optgroup>
        ) : null}
      </Select>
      {by === 'tag' && tags.length > 1 ? (
        <Select aria-label="Tag" value={shownTag ?? ''} onChange={({ target }) => onChange({ tag: target.value })}>
          {tags.map((tag) => (
            <option key={tag} value={tag}>
              {tag}
            </option>
          ))}
        </Select>
      ) : null}
      <AttributeFilter tall chosen={attributes} onChoose={(make) => onChange({ attributes: make(attributes) })} />
    </div>
  )
}

type DayFieldProps = { label: string; name: string; day: string }

/** A date that follows `day`, except while somebody types: an incomplete year is not a date yet, and the browser keeps the input. */
function DayField({ label, name, day }: DayFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const input = field.current
    if (input && input !== document.activeElement) input.value = day
  }, [day])
  return (
    <Input
      type="date"
      aria-label={label}
      name={name}
      ref={field}
      defaultValue={day}
      min={FIRST_DAY}
      required
      className="w-auto! min-w-0 flex-1 sm:flex-none"
    />
  )
}

type SummaryProps = {
  report: Report
  choice: ReportChoice
  rows: readonly ReportRow[]
  onChange: (parts: Record<string, string | null>) => void
}

/** The total, compared with the time before, and what else can be done with the report. */
function Summary({ report, choice, rows, onChange }: SummaryProps) {
  const { all, from, to, previous_from } = report
  const more = changeText(all)
  const partly = partlyKnownText(report)
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <p>
        <span className="text-page font-semibold tabular-nums">{countText(all.total)}</span>{' '}
        {all.total === 1 ? 'mention' : 'mentions'} from {dayText(from)} to {dayText(to)}
        <span className="block text-muted">
          {more === null ? 'None' : `${more}, from ${countText(all.previous)}`} in the previous period, since{' '}
          {dayText(previous_from)}
        </span>
        {partly === null ? null : <span className="block text-muted">{partly}</span>}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button aria-pressed={choice.asTable} onClick={() => onChange({ show: choice.asTable ? null : 'table' })}>
          {choice.asTable ? <ChartColumn size={14} aria-hidden /> : <Table size={14} aria-hidden />}
          {choice.asTable ? 'Chart' : 'Table'}
        </Button>
        <Button onClick={() => saveCsv(`groundswell-report-${from}-${to}.csv`, reportCsv(report, rows))}>
          <Download size={14} aria-hidden /> CSV
        </Button>
      </div>
    </div>
  )
}

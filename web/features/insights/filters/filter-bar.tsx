import { tagKey } from '@groundswell/contract/insights/insight-filter.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { Columns3, Keyboard } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { showFrameWindow } from '../../../ui/frame-window.ts'
import { lazyExtra } from '../../../ui/loading/lazy-part.tsx'
import { useConnectorName } from '../../connections/index.ts'
import { SaveViewDialog } from '../../views/index.ts'
import { kindLabel } from '../kinds/kind-words.ts'
import { statusLabel } from '../status-badge.tsx'
import { chooseColumns, type HideableColumn } from '../table/column-choice.ts'
import { COLUMNS } from '../table/columns/index.ts'
import { tagColumn } from '../table/columns/tag.tsx'
import type { Sort } from '../table/sort.ts'
import { teamLabel } from '../team-status/team-words.ts'
import { ThemeToggle } from '../themes/theme-toggle.tsx'
import { UngroupedLink } from '../ungrouped/ungrouped-link.tsx'
import { CheckList } from './check-list.tsx'
import { Choice } from './choice.tsx'
import { countValues } from './count-values.ts'
import { type Filter, isFiltered, readFilter, withoutFilter, withPart } from './filter.ts'
import { timeOptions } from './times.ts'

const AllFeedbackLink = lazyExtra(async () => (await import('../ungrouped/all-feedback-link.tsx')).AllFeedbackLink)

const ListMenu = lazyExtra(async () => (await import('./list-menu.tsx')).ListMenu)

const CustomerFilter = lazyExtra(async () => (await import('./customer-filter.tsx')).CustomerFilter)

const AttributeFilter = lazyExtra(async () => (await import('./attribute-filter.tsx')).AttributeFilter)

const AssignedFilter = lazyExtra(async () => (await import('./assigned-filter.tsx')).AssignedFilter)

const FIXED_COLUMNS = COLUMNS.filter((column) => column.hideable).map(({ id, label }) => ({ value: id, label }))

const counts = new Intl.NumberFormat()

type FilterBarProps = {
  insights: readonly Insight[]
  shown: number
  busy: boolean
  filter: Filter
  tags: readonly string[]
  isShown: (column: HideableColumn) => boolean
  onChange: (make: (address: URLSearchParams) => URLSearchParams) => void
  onSort: (sort: Sort) => void
  onExport: () => void
  /** Whether the list is grouped by theme. */
  grouping: { on: boolean; set: (on: boolean) => void }
}

/** The filters, how many insights pass them, and the choice of columns. */
export function FilterBar({
  insights,
  shown,
  busy,
  filter,
  tags,
  isShown,
  onChange,
  onSort,
  onExport,
  grouping,
}: FilterBarProps) {
  const [saving, setSaving] = useState<URLSearchParams | null>(null)
  const anyAssigned = filter.assigned !== '' || insights.some((one) => one.assigned_to)
  const filtered = isFiltered(filter)
  const anyCustomer = filter.customer !== '' || insights.some((one) => one.customer_count)
  return (
    <div className="flex flex-col gap-1 px-4 md:h-9 md:flex-row md:items-center md:gap-2 md:px-6">
      <div className="flex items-center gap-1.5 -mx-1 overflow-x-auto p-1 max-md:-my-1">
        <ValueFilters insights={insights} filter={filter} tags={tags} onChange={onChange} />
        {anyAssigned ? (
          <AssignedFilter
            chosen={filter.assigned}
            onChoose={(assigned) => onChange((old) => withPart(old, 'assigned', assigned))}
          />
        ) : null}
        {anyCustomer ? (
          <CustomerFilter
            chosen={filter.customer}
            onChoose={(customer) => onChange((old) => withPart(old, 'customer', customer))}
          />
        ) : null}
        <AttributeFilter
          chosen={filter.attributes}
          of={insights}
          onChoose={(make) => onChange((old) => withPart(old, 'attributes', make(readFilter(old).attributes)))}
        />
        <Choice
          label="Time"
          any="Any time"
          value={String(filter.days ?? '')}
          options={timeOptions(filter.days)}
          onChoose={(days) => onChange((old) => withPart(old, 'days', Number(days) || null))}
        />
        <ThemeToggle on={grouping.on} onChange={grouping.set} />
      </div>
      <div className="flex shrink-0 items-center gap-2 text-small whitespace-nowrap tabular-nums md:ml-auto md:pl-2">
        <p role="status" aria-busy={busy || undefined} className="text-muted">
          {filtered ? `${counts.format(shown)} of ` : null}
          {counts.format(insights.length)}
          {filtered ? null : insights.length === 1 ? ' insight' : ' insights'}
        </p>
        {/* Not among the filters: those may be scrolled out of view. */}
        {filtered ? (
          <button
            type="button"
            onClick={() => onChange(withoutFilter)}
            className="-mx-1 h-7 shrink-0 rounded px-1 font-medium text-accent hover:bg-hover"
          >
            Clear
          </button>
        ) : (
          <UngroupedLink insights={insights} />
        )}
        {filter.words ? <AllFeedbackLink words={filter.words} /> : null}
        <span className="size-7 max-md:ml-auto">
          <ListMenu
            anyCustomer={anyCustomer}
            onSort={onSort}
            onExport={onExport}
            onSave={() => setSaving(addressToSave(grouping.on))}
          />
        </span>
      </div>
      <TableButtons tags={tags} isShown={isShown} />
      {saving ? (
        <SaveViewDialog
          address={saving}
          onSaved={({ view_id }) => onChange((old) => withView(old, view_id))}
          onClose={() => setSaving(null)}
        />
      ) : null}
    </div>
  )
}

/** A list of checkboxes for each field of the insights that has values. */
function ValueFilters({
  insights,
  filter,
  tags,
  onChange,
}: Pick<FilterBarProps, 'insights' | 'filter' | 'tags' | 'onChange'>) {
  const anySource = insights.some((one) => (one.sources?.length ?? 0) > 0)
  const connectorName = useConnectorName(anySource)
  const list = (
    part: 'statuses' | 'tags' | 'sources' | 'kinds' | 'teamStatuses',
    label: string,
    values: (insight: Insight) => readonly (string | null)[],
    valueLabel: (value: string) => string,
  ) => (
    <CheckList
      label={label}
      options={() =>
        countValues(insights, values).map(({ value, count }) => ({
          value,
          label: valueLabel(value),
          note: counts.format(count),
        }))
      }
      chosen={filter[part].length}
      isChosen={(value) => filter[part].some((one) => one === value)}
      onChoose={(value, chosen) =>
        onChange((old) => {
          const others = readFilter(old)[part].filter((one) => one !== value)
          return withPart(old, part, chosen ? [...others, value] : others)
        })
      }
    />
  )
  return (
    <>
      {list('statuses', 'Status', (one) => [one.status], statusLabel)}
      {filter.teamStatuses.length > 0 || insights.some((one) => one.team_status !== undefined)
        ? list('teamStatuses', 'Team status', (one) => [one.team_status ?? null], teamLabel)
        : null}
      {tags.length > 0 || filter.tags.length > 0
        ? list('tags', 'Tag', (one) => (one.categories ?? []).map(tagKey), String)
        : null}
      {anySource ? list('sources', 'Source', (one) => one.sources ?? [], connectorName) : null}
      {filter.kinds.length > 0 || insights.some((one) => one.main_kind !== undefined)
        ? list('kinds', 'Kind', (one) => [one.main_kind ?? null], kindLabel)
        : null}
    </>
  )
}

/** The choice of columns, and the button that shows the shortcuts. */
function TableButtons({ tags, isShown }: Pick<FilterBarProps, 'tags' | 'isShown'>) {
  return (
    <span className="hidden shrink-0 items-center md:flex">
      <CheckList
        label="Columns"
        icon={<Columns3 size={14} aria-hidden />}
        options={() => [
          ...FIXED_COLUMNS,
          ...tags.map((tag) => ({ value: tagColumn(tag).id, label: tag, note: 'tag' })),
        ]}
        isChosen={(value) => isShown(value as HideableColumn)}
        onChoose={(value, show) => chooseColumns([value as HideableColumn], show)}
      />
      <IconButton label="Show keyboard shortcuts" onClick={() => showFrameWindow('keys')} className="ml-1 size-7!">
        <Keyboard size={16} aria-hidden />
      </IconButton>
    </span>
  )
}

/** What the browser shows. The address always says whether it is grouped, even if that was chosen earlier. */
function addressToSave(isGrouped: boolean): URLSearchParams {
  const address = new URLSearchParams(window.location.search)
  address.set('group', isGrouped ? 'theme' : 'none')
  return address
}

function withView(address: URLSearchParams, id: string): URLSearchParams {
  const next = new URLSearchParams(address)
  next.set('view', id)
  return next
}

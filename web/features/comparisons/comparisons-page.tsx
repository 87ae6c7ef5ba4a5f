import { ChevronDown, ChevronRight, Columns3, Diff, RefreshCw } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Select } from '../../ui/field.tsx'
import { FileChoices } from '../../ui/file-choices.tsx'
import { FileProblemList } from '../../ui/file-problem-list.tsx'
import { FirstRun } from '../../ui/first-run.tsx'
import { lazyPart } from '../../ui/loading/lazy-part.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/table/pager.tsx'
import { NewRunButton, RunList } from '../evaluation/index.ts'
import { useDirectories, useDirectoryProblems } from './comparison-queries.ts'
import { type KeptPart } from './flow-address.ts'
import { GeneratorMenu } from './generator-menu.tsx'
import { LoadFailure } from './load-failure.tsx'
import { NOTHING_OPENED, useComparison } from './opened-sessions.ts'
import { ResponsesTable } from './responses-table.tsx'
import { type ComparisonFlow, useComparisonFlow } from './use-comparison-flow.ts'

const ComparisonAnalysis = lazyPart(async () => (await import('./comparison-analysis.tsx')).ComparisonAnalysis)
const GeneratorDiff = lazyPart(async () => (await import('./generator-diff.tsx')).GeneratorDiff)

/** /comparisons, for administrators: the outputs of several generators for the same input, side by side. */
export function ComparisonsPage() {
  const directories = useDirectories()
  const flow = useComparisonFlow()
  const problems = useDirectoryProblems(flow.options === null ? null : flow.directory)
  return (
    <Page title="Comparisons" actions={directories?.length === 0 ? null : <NewRunButton />}>
      <div className="flex flex-wrap gap-2">
        <Select
          aria-label="Directory"
          className="w-full sm:w-60"
          value={flow.directory}
          disabled={flow.busy}
          onChange={(event) => flow.chooseDirectory(event.target.value)}
        >
          <option value="">Select a directory...</option>
          {directories?.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Select>
        <GeneratorMenu options={flow.options} ticked={flow.ticked} disabled={flow.busy} onToggle={flow.toggle} />
        <Button
          look="primary"
          disabled={flow.options === null || flow.busy}
          onClick={flow.applyFilter}
          className="w-full sm:w-auto"
        >
          Apply Generator Filter
        </Button>
        <Select
          aria-label="Input source"
          className="min-w-0 flex-1 sm:w-60 sm:flex-none"
          value={flow.source}
          disabled={flow.sources === null || flow.busy}
          onChange={(event) => flow.chooseSource(event.target.value)}
        >
          <option value="">{flow.sources === null ? 'Apply generator filter first' : 'Select input source...'}</option>
          {flow.sources?.map((id) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </Select>
        <Button disabled={flow.source === '' || flow.busy} onClick={flow.refresh}>
          <RefreshCw size={14} aria-hidden />
          Refresh
        </Button>
      </div>
      <FileProblemList problems={problems} />
      {flow.failure ? (
        <div
          role="alert"
          className="mt-3 flex flex-wrap items-center gap-3 rounded border border-line bg-bad-soft px-3 py-2 text-bad"
        >
          <p className="mr-auto">{flow.failure.message}</p>
          <Button onClick={flow.failure.again}>Try again</Button>
        </div>
      ) : null}
      <Content flow={flow} directories={directories} />
      {flow.directory === '' ? <RunList screen="comparisons" onOpen={flow.openDirectory} /> : null}
    </Page>
  )
}

/** `directories`: undefined while they load. */
function Content({ flow, directories }: { flow: ComparisonFlow; directories: readonly string[] | undefined }) {
  const empty = directories?.length === 0
  const { sessions, index, busy } = flow
  const { data: comparison, error, again } = useComparison(sessions ?? NOTHING_OPENED, index)
  const [address, setAddress] = useSearchParams()
  const isOn = (name: KeptPart) => address.get(name) === '1'
  const turn = (name: KeptPart) => {
    const next = new URLSearchParams(address)
    if (isOn(name)) next.delete(name)
    else next.set(name, '1')
    setAddress(next, { replace: true })
  }
  const differences = isOn('words')
  const analysis = isOn('analysis')
  if (busy && sessions === null) {
    return <Loading />
  }
  if (sessions === null) {
    if (flow.failure) return null
    return (
      <EmptyState
        icon={<Columns3 size={24} aria-hidden />}
        title="No comparison yet"
        actions={empty ? <NewRunButton primary /> : null}
      >
        {empty ? (
          <>
            <p>There are no comparison directories yet. New run makes one of your own feedback. On the server:</p>
            <FirstRun commands={['groundswell eval generate --grid grid.json']}>
              Or add a directory to the comparisons folder.{' '}
              <code className="font-mono text-small">groundswell demo</code> shows a finished example.
            </FirstRun>
          </>
        ) : (
          <>
            <p>{nextStep(flow)}</p>
            {flow.directory === '' ? (
              <FileChoices label="Directories" names={directories ?? []} onChoose={flow.chooseDirectory} />
            ) : null}
          </>
        )}
      </EmptyState>
    )
  }
  if (sessions.total === 0) {
    return <EmptyState title="No comparisons">There is nothing to show for this input source.</EmptyState>
  }
  return (
    <>
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Pager index={index} count={sessions.total} what="comparison" disabled={busy} onChange={flow.goTo}>
          {comparison ? `${comparison.from} - ${comparison.to}` : null}
        </Pager>
        <p className="text-small text-muted tabular-nums">
          {index + 1} of {sessions.total}
        </p>
        {sessions.generators.length > 1 ? (
          <Button aria-pressed={differences} className="sm:ml-auto" onClick={() => turn('words')}>
            <Diff size={14} aria-hidden />
            {differences ? 'Side by side' : 'Word by word'}
          </Button>
        ) : null}
      </div>
      {comparison ? (
        <>
          {differences ? (
            <GeneratorDiff generators={sessions.generators} comparison={comparison} />
          ) : (
            <ResponsesTable generators={sessions.generators} comparison={comparison} />
          )}
          <section className="mt-4 rounded border border-line bg-surface px-4 py-3">
            <h2 className="font-semibold">Formatted User Input</h2>
            <pre dir="auto" className="mt-2 font-mono text-small break-words whitespace-pre-wrap">
              {comparison.input}
            </pre>
          </section>
        </>
      ) : error ? (
        <LoadFailure what="Failed to load this comparison." error={error} onRetry={again} onReopen={flow.refresh} />
      ) : (
        <Loading />
      )}
      <section aria-label="Analysis" className="mt-2">
        <Button look="quiet" aria-expanded={analysis} className="-ml-3" onClick={() => turn('analysis')}>
          {analysis ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
          {analysis ? 'Hide' : 'Show'} analysis
        </Button>
        {analysis ? (
          <ComparisonAnalysis key={flow.source} source={flow.source} sessions={sessions} onReopen={flow.refresh} />
        ) : null}
      </section>
    </>
  )
}

function Loading() {
  return (
    <p role="status" className="py-10 text-center text-muted">
      Loading...
    </p>
  )
}

function nextStep({ directory, options, sources }: ComparisonFlow): string {
  if (directory === '' || options === null) return 'Choose a directory to see its generators.'
  if (sources === null) return 'Select the generators to compare, then apply the filter.'
  return sources.length === 0
    ? 'The selected generators have no responses. Select others and apply the filter again.'
    : 'Choose an input source.'
}

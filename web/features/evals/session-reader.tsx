import { ChevronDown, ChevronRight } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Pager } from '../../ui/table/pager.tsx'
import { useAddressParts } from '../../ui/use-address-parts.ts'
import { CallError } from '../client/index.ts'
import { AnalysisPart } from './analysis/analysis-part.tsx'
import { EvaluationTable } from './evaluation-table.tsx'
import { useOwnScores } from './score-queries.ts'
import { useSessionPage } from './use-session-page.ts'

/** One session, one page per evaluated response, starting at the first or at that of the address (`?page=`, from 1). */
export function SessionReader({ filename }: { filename: string }) {
  const ownScores = useOwnScores(filename)
  const [address, setParts] = useAddressParts<'page' | 'input'>()
  const inputShown = address.get('input') === '1'
  const shown = useSessionPage(filename, Math.max(0, (Number.parseInt(address.get('page') ?? '1', 10) || 1) - 1))
  const { index, total, page } = shown
  const setIndex = (next: number) => setParts({ page: String(next + 1) })
  return (
    <>
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Pager
          index={index}
          count={total ?? 0}
          what="page"
          disabled={shown.loading || total === null}
          onChange={setIndex}
        >
          {total === null ? null : `Page ${total === 0 ? 0 : index + 1} of ${total}`}
        </Pager>
        {page ? (
          <p dir="auto" className="min-w-0 break-words text-muted">
            {page.about.join(' · ')}
          </p>
        ) : null}
      </div>
      {shown.loading ? (
        <p role="status" className="py-10 text-center text-muted">
          Loading...
        </p>
      ) : shown.error ? (
        <div
          role="alert"
          className="mt-3 flex flex-wrap items-center gap-3 rounded border border-line bg-bad-soft px-3 py-2 text-bad"
        >
          <p className="mr-auto">Failed to load eval session.{reasonOf(shown.error)}</p>
          <Button onClick={shown.again}>Try again</Button>
        </div>
      ) : page ? (
        <>
          <EvaluationTable
            filename={filename}
            index={index}
            evaluators={shown.evaluators}
            page={page}
            ownScores={ownScores}
          />
          {page.input === null ? null : (
            <section className="mt-4">
              <Button
                look="quiet"
                aria-expanded={inputShown}
                className="-ml-3"
                onClick={() => setParts({ input: inputShown ? '' : '1' })}
              >
                {inputShown ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
                {inputShown ? 'Hide' : 'Show'} formatted user input
              </Button>
              {inputShown ? (
                <pre
                  dir="auto"
                  className="mt-2 rounded border border-line bg-surface p-4 font-mono text-small break-words whitespace-pre-wrap"
                >
                  {page.input}
                </pre>
              ) : null}
            </section>
          )}
          {shown.session ? (
            <AnalysisPart filename={filename} session={shown.session} index={index} onGoTo={setIndex} />
          ) : (
            <p className="mt-4 text-small text-muted">
              This session is loaded page by page. It is too large for the analysis.
            </p>
          )}
        </>
      ) : (
        <p className="py-10 text-center text-muted">This session has no evaluated responses.</p>
      )}
    </>
  )
}

/** Our server's reason why the file is unusable; nothing for any other failure. */
function reasonOf(error: Error): string {
  return error instanceof CallError && error.code === 'invalid_input' ? ` ${error.message}` : ''
}

import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { Pager } from '../../ui/table/pager.tsx'
import { CallError } from '../client/index.ts'
import { AnalysisPart } from './analysis/analysis-part.tsx'
import { useEvalSession } from './eval-queries.ts'
import { EvaluationTable } from './evaluation-table.tsx'
import { useOwnScores } from './score-queries.ts'

/** One session, one page per evaluated response, starting at the first or at that of the address (`?page=`, from 1). */
export function SessionReader({ filename }: { filename: string }) {
  const session = useEvalSession(filename)
  const ownScores = useOwnScores(filename)
  const [address, setAddress] = useSearchParams()
  const [inputShown, setInputShown] = useState(false)
  const pages = session.data?.pages ?? []
  const index = Math.max(0, Math.min(Number.parseInt(address.get('page') ?? '1', 10) || 1, pages.length) - 1)
  const setIndex = (next: number) => {
    const moved = new URLSearchParams(address)
    moved.set('page', String(next + 1))
    setAddress(moved, { replace: true })
  }
  const page = pages[index]
  return (
    <>
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Pager index={index} count={pages.length} what="page" disabled={!session.data} onChange={setIndex}>
          {session.data ? `Page ${page ? index + 1 : 0} of ${pages.length}` : null}
        </Pager>
        {page ? (
          <p dir="auto" className="min-w-0 break-words text-muted">
            {page.about.join(' · ')}
          </p>
        ) : null}
      </div>
      {session.isFetching && !session.data ? (
        <p role="status" className="py-10 text-center text-muted">
          Loading...
        </p>
      ) : session.isError ? (
        <div
          role="alert"
          className="mt-3 flex flex-wrap items-center gap-3 rounded border border-line bg-bad-soft px-3 py-2 text-bad"
        >
          <p className="mr-auto">Failed to load eval session.{reasonOf(session.error)}</p>
          <Button onClick={() => void session.refetch()}>Try again</Button>
        </div>
      ) : page && session.data ? (
        <>
          <EvaluationTable
            filename={filename}
            index={index}
            evaluators={session.data.evaluators}
            page={page}
            ownScores={ownScores}
          />
          {page.input === null ? null : (
            <section className="mt-4">
              <Button
                look="quiet"
                aria-expanded={inputShown}
                className="-ml-3"
                onClick={() => setInputShown(!inputShown)}
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
          <AnalysisPart filename={filename} session={session.data} index={index} onGoTo={setIndex} />
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

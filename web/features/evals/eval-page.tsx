import { ClipboardCheck } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Select } from '../../ui/field.tsx'
import { FileChoices } from '../../ui/file-choices.tsx'
import { FileProblemList } from '../../ui/file-problem-list.tsx'
import { FirstRun } from '../../ui/first-run.tsx'
import { Page } from '../../ui/page.tsx'
import { GradeRunButton, NewRunButton, RunList } from '../evaluation/index.ts'
import { useEvalNames, useEvalProblems } from './eval-queries.ts'
import { SessionReader } from './session-reader.tsx'

/** /eval, for administrators: automated evaluations of responses. `?eval=` is the open session. */
export function EvalPage() {
  const known = useEvalNames()
  const names = known ?? []
  const problems = useEvalProblems()
  const [address, setAddress] = useSearchParams()
  const filename = address.get('eval') ?? ''
  const choose = (name: string) => setAddress(name === '' ? {} : { eval: name })
  return (
    <Page title="Eval" actions={<GradeRunButton />}>
      <Select
        aria-label="Eval session"
        className="w-full sm:w-80"
        value={filename}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">Select an eval...</option>
        {filename === '' || names.includes(filename) ? null : <option value={filename}>{filename}</option>}
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </Select>
      <FileProblemList problems={problems} />
      {filename === '' ? (
        <EmptyState
          icon={<ClipboardCheck size={24} aria-hidden />}
          title="No eval selected"
          actions={known?.length === 0 ? <NewRunButton /> : null}
        >
          {known?.length === 0 ? (
            <>
              <p>There are no evaluation files yet. Start a run of your own feedback, then grade it. On the server:</p>
              <FirstRun
                commands={[
                  'groundswell eval generate --grid grid.json',
                  'groundswell eval grade --run data/comparisons/NAME',
                ]}
              >
                Or add files to the evals folder. <code className="font-mono text-small">groundswell demo</code> shows
                finished examples.
              </FirstRun>
            </>
          ) : (
            <>
              <p>Select one to page through its responses and their scores.</p>
              <FileChoices label="Evals" names={names} onChoose={choose} />
            </>
          )}
        </EmptyState>
      ) : (
        <SessionReader key={filename} filename={filename} />
      )}
      {filename === '' ? <RunList screen="evals" onOpen={choose} /> : null}
    </Page>
  )
}

import type { EvaluationRun } from '@groundswell/contract/evaluation/runs.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/page.tsx'
import { Progress } from '../../ui/progress.tsx'
import { SettingCard, SettingRow } from '../../ui/setting-row.tsx'
import { formatMoment } from '../../ui/text/moment.ts'
import { count, plural } from '../../ui/text/plural.ts'
import { isActive, type RunAction, useRunAction, useRuns } from './run-queries.ts'

type RunListProps = {
  /** `comparisons`: what a run answered is opened. `evals`: its sessions are. */
  screen: 'comparisons' | 'evals'
  onOpen: (name: string) => void
}

const WORDS: Record<EvaluationRun['state'], [string, Tone]> = {
  answering: ['Running', 'accent'],
  answered: ['Finished', 'plain'],
  cancelled: ['Cancelled', 'warn'],
  failed: ['Failed', 'bad'],
  grading: ['Grading', 'accent'],
  graded: ['Graded', 'good'],
}

/** The runs of the workspace with their progress; nothing while there are none. */
export function RunList({ screen, onOpen }: RunListProps) {
  const { data, error, isFetching, refetch } = useRuns()
  const act = useRunAction()
  useNewSessions(data ?? [])
  const runs = data ?? []
  if (error) {
    return (
      <Section title="Runs">
        <SettingCard>
          <SettingRow
            title="The runs could not be loaded"
            actions={
              <Button busy={isFetching} onClick={() => void refetch()}>
                Try again
              </Button>
            }
          >
            {error.message}
          </SettingRow>
        </SettingCard>
      </Section>
    )
  }
  if (runs.length === 0) return null
  return (
    <Section title="Runs" lead="Over this workspace’s feedback, for its admins only.">
      <SettingCard>
        {runs.map((run) => {
          const [word, tone] = WORDS[run.state]
          const isBusy = act.isPending && act.variables.run.run_id === run.run_id
          return (
            <SettingRow
              key={run.run_id}
              title={
                <span className="flex flex-wrap items-center gap-2">
                  {run.name} <Badge tone={tone}>{word}</Badge>
                </span>
              }
              actions={
                <>
                  {screen === 'comparisons' && run.done > 0 && run.state !== 'grading' ? (
                    <Button onClick={() => onOpen(run.directory)} aria-label={`Compare ${run.name}`}>
                      Compare
                    </Button>
                  ) : null}
                  {screen === 'evals'
                    ? run.sessions.map((session, at) => (
                        <Button
                          key={session}
                          onClick={() => onOpen(session)}
                          aria-label={`Open ${run.generators[at]} of ${run.name}`}
                        >
                          {run.generators[at]}
                        </Button>
                      ))
                    : null}
                  {actionsFor(run, screen).map(([action, label]) => (
                    <Button
                      key={action}
                      look={action === 'delete' ? 'danger' : 'secondary'}
                      busy={isBusy && act.variables.action === action}
                      disabled={isBusy}
                      aria-label={`${label} ${run.name}`}
                      onClick={() => act.mutate({ run, action })}
                    >
                      {label}
                    </Button>
                  ))}
                </>
              }
            >
              <p className="text-small">{describe(run)}</p>
              {isActive(run) ? (
                <div className="mt-2 max-w-md">
                  <Progress label={`Progress of ${run.name}`} value={run.done} total={run.all} />
                </div>
              ) : null}
              {run.reason ? <p className="mt-1 text-small text-warn">{run.reason}</p> : null}
            </SettingRow>
          )
        })}
      </SettingCard>
    </Section>
  )
}

/** Has the list of evals loaded again once a run is graded. */
function useNewSessions(runs: readonly EvaluationRun[]): void {
  const client = useQueryClient()
  const sessions = runs.flatMap((run) => run.sessions).join('\n')
  const before = useRef(sessions)
  useEffect(() => {
    if (before.current === sessions) return
    before.current = sessions
    void client.invalidateQueries({ queryKey: ['evals', 'names'] })
  }, [client, sessions])
}

function actionsFor(run: EvaluationRun, screen: RunListProps['screen']): [RunAction, string][] {
  if (isActive(run)) return [['cancel', 'Cancel']]
  if (screen === 'evals') return []
  const isOpen = run.state === 'cancelled' || run.state === 'failed'
  return [...(isOpen ? [['resume', 'Resume'] satisfies [RunAction, string]] : []), ['delete', 'Delete']]
}

function describe(run: EvaluationRun): string {
  const what = run.state === 'grading' || run.state === 'graded' ? 'answers graded' : 'answers'
  const parts = [
    run.generators.join('; '),
    `${count(run.done)} of ${count(run.all)} ${what}`,
    run.judges.length > 0 ? `judged by ${run.judges.join(' and ')}` : '',
    run.tokens > 0 ? plural(run.tokens, 'token') : '',
    run.removed > 0 ? `${plural(run.removed, 'window')} emptied, since a message was deleted or edited` : '',
    `${run.started_by}, ${formatMoment(run.started_at)}`,
  ]
  return parts.filter((part) => part !== '').join(' · ')
}

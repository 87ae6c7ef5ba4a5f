import type { EvalSession } from '@groundswell/contract/evaluation/evals.ts'
import type { EvaluationRun } from '@groundswell/contract/evaluation/runs.ts'
import { z } from 'zod'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import type { OwnDirectories } from '../../comparisons/index.ts'
import type { OwnSessions } from '../../evals/index.ts'
import { agreementField } from '../evaluators/grade-run.ts'
import type { Judged } from '../evaluators/judge.ts'
import { Cell, runOf } from '../generators/cell.ts'
import { labelOf } from '../generators/generator.ts'
import { formatInput } from '../generators/window.ts'
import { generatorsOf } from './run-job.ts'
import { findRun, readAnswers, readRuns, readWindowMessages, readWindows, type StoredRun } from './run-store.ts'

/** No file or folder has a slash in its name: what a workspace has never takes the place of the operator's, and is no path. */
const PREFIX = 'workspace/'

const JudgeGrade = z.object({
  response: z.int(),
  rubric: z.int(),
  grade: z.enum(['yes', 'partly', 'no']),
  reason: z.string(),
})
const Failed = z.object({ failed: z.string() })

const Grade = z.object({
  evaluators: z.array(z.looseObject({ unique_name: z.string() })),
  notes: z.string(),
  issues: z.array(z.string()),
  rubrics_responses_evaluations: z.array(z.looseObject({})),
  judged: z.optional(z.array(z.array(z.nullable(z.array(JudgeGrade))))),
})

const EMPTIED = 'Emptied, since a message in it was deleted or edited.'
const UNANSWERED = 'Not answered.'

const directoryOf = ({ name }: Pick<StoredRun, 'name'>) => `${PREFIX}${name}`

/** The prefix of the names of a run's sessions. */
export const sessionsFolder = (run: Pick<StoredRun, 'name'>): string => `${directoryOf(run)}/`

/** The names of the sessions of a graded run, one for each generator. */
function sessionsOf(run: StoredRun): string[] {
  if (run.state !== 'graded') return []
  const taken = new Set<string>()
  return generatorsOf(run).map((generator) => {
    const words = labelOf(generator)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
    const base = `${sessionsFolder(run)}${(words ?? ['generator']).join('-').slice(0, 80)}`
    let name = base
    for (let number = 2; taken.has(name); number++) name = `${base}-${number}`
    taken.add(name)
    return `${name}.json`
  })
}

/** A run as the calls show it. */
export function viewRun(run: StoredRun): EvaluationRun {
  const generators = generatorsOf(run)
  const isGraded = run.state === 'grading' || run.state === 'graded'
  return {
    run_id: run.id,
    name: run.name,
    directory: directoryOf(run),
    sessions: sessionsOf(run),
    generators: generators.map(labelOf),
    state: run.state,
    reason: run.reason,
    done: isGraded ? run.grades : run.answers,
    all: isGraded ? run.answers : run.windows * generators.length,
    removed: run.removed,
    tokens: run.tokens,
    judges: run.judges,
    started_by: run.startedBy,
    started_at: run.startedAt.toISOString(),
  }
}

/** The runs of a workspace as comparison directories. */
export function ownDirectories(services: Pick<Services, 'db'>): OwnDirectories {
  return {
    names: (workspaceId) =>
      inWorkspace(services.db, workspaceId, async (tx) =>
        (await readRuns(tx, workspaceId)).map(directoryOf).toSorted(),
      ),

    read: (workspaceId, name) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        if (!name.startsWith(PREFIX)) return null
        const run = await findRun(tx, workspaceId, { name: name.slice(PREFIX.length) })
        if (!run) return null
        const generators = generatorsOf(run)
        const windows = new Map((await readWindows(tx, workspaceId, run.id)).map((one) => [one.number, one]))
        const messages = await readWindowMessages(tx, workspaceId, run.id)
        const answers = await readAnswers(tx, workspaceId, run.id)
        const runs = answers.flatMap(({ number, generator: at, answer }) => {
          const [window, generator, cell] = [windows.get(number), generators[at], Cell.safeParse(answer)]
          if (!window || !generator || !cell.success) return []
          const { source_id, datetime_from, datetime_to } = window
          const input = { source_id, datetime_from, datetime_to, messages: messages.get(number) ?? [] }
          return [runOf({ generator, window: input }, cell.data)]
        })
        return { runs, problems: [] }
      }),
  }
}

/** The graded runs of a workspace as eval sessions. A page keeps its place when its window is emptied, since scores by people name it. */
export function ownSessions(services: Pick<Services, 'db'>): OwnSessions {
  return {
    names: (workspaceId) =>
      inWorkspace(services.db, workspaceId, async (tx) =>
        (await readRuns(tx, workspaceId)).flatMap(sessionsOf).toSorted(),
      ),

    read: (workspaceId, name) =>
      inWorkspace(services.db, workspaceId, async (tx): Promise<EvalSession | null> => {
        const [, runName] = name.startsWith(PREFIX) ? name.split('/') : []
        const run = runName === undefined ? null : await findRun(tx, workspaceId, { name: runName })
        const generator = run ? sessionsOf(run).indexOf(name) : -1
        if (!run || generator < 0) return null
        const messages = await readWindowMessages(tx, workspaceId, run.id)
        const answers = new Map(
          (await readAnswers(tx, workspaceId, run.id, { generator })).map((one) => [one.number, one]),
        )
        const label = labelOf(generatorsOf(run)[generator] as Parameters<typeof labelOf>[0])
        let evaluators: EvalSession['evaluators'] = []
        const judged: Judged[][] = run.judges.map(() => [])
        const pages = (await readWindows(tx, workspaceId, run.id)).map((window) => {
          const given = answers.get(window.number)
          const [cell, grade] = [Cell.safeParse(given?.answer), Grade.safeParse(given?.grade)]
          if (grade.success) evaluators = grade.data.evaluators
          const failed = Failed.safeParse(given?.answer)
          for (const [at, grades] of (grade.data?.judged ?? []).entries()) judged[at]?.push(grades)
          return {
            source_metadata: { source_id: window.source_id, datetime_from: window.datetime_from, comments: label },
            notes: window.removed
              ? EMPTIED
              : grade.success
                ? grade.data.notes
                : failed.success
                  ? `${UNANSWERED} ${failed.data.failed}`
                  : UNANSWERED,
            issues: grade.success ? grade.data.issues : [],
            responses: cell.success ? cell.data.answers[0]?.responses : [],
            rubrics_responses_evaluations: grade.success ? grade.data.rubrics_responses_evaluations : [],
            formatted_user_input: formatInput(messages.get(window.number) ?? []),
          }
        })
        return { generator: label, ...agreementField(run.judges, judged), evaluators, response_evaluations: pages }
      }),
  }
}

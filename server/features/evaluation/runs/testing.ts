import { type ComparisonSessions, NO_OPTIONS } from '@groundswell/contract/evaluation/comparisons.ts'
import type { EvalSession } from '@groundswell/contract/evaluation/evals.ts'
import type { EvaluationRun, Grading, RunPlan } from '@groundswell/contract/evaluation/runs.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { TestPerson } from '../../../platform/http/testing.ts'
import { makeAdmin, type People, TeamWorld } from '../../../testing.ts'
import { takeStep } from './run-job.ts'

const SAID = [
  'The export to CSV stops after 1000 rows',
  'Export to CSV stops halfway through',
  'CSV export stops at 1000 rows every time',
  'The invoice shows the wrong address',
  'Our invoice has the wrong address again',
  'Wrong address on the invoice, please fix it',
]
const AUTHORS = ['Jana Novak', 'Max Weber', 'Kim Lee']

/** Two windows of a week, each with six messages. */
export const PLAN: RunPlan = {
  name: 'march',
  generators: ['words'],
  model_generators: [],
  send: false,
  from: '2026-03-01',
  to: '2026-03-14',
  days: 7,
  sources: 'each',
  source_ids: null,
  repeats: 1,
}

/** Evaluation runs of workspaces with feedback. Calls are Ann's, who is an admin as Bo is, in another workspace. */
export class RunsWorld {
  world!: TeamWorld
  people!: People

  async open(config: Partial<Config> = {}): Promise<void> {
    this.world = await TeamWorld.start(config)
  }

  /** Other people, and their feedback: two weeks, in each the same six messages, by three people. */
  async next(): Promise<void> {
    this.people = await this.world.people()
    for (const person of [this.people.ann, this.people.bo]) await makeAdmin(this.world.test, person)
    await this.giveFeedback('letters')
  }

  async giveFeedback(source: string): Promise<void> {
    const { workspaceId } = this.people.ann
    await this.world.enter(workspaceId)
    await this.world.owner.query(
      `insert into connection (workspace_id, id, connector, name) values ($1, gen_random_uuid(), 'file', $2)`,
      [workspaceId, source],
    )
    const rows = [0, 1].flatMap((week) =>
      SAID.map((text, at) => ({ text, author: AUTHORS[at % 3], week, day: week * 7 + at + 1 })),
    )
    for (const { text, author, week, day } of rows) {
      await this.world.owner.query(
        `insert into feedback_item (workspace_id, connection_id, external_id, text, author, said_at)
         select workspace_id, id, $2::text, $3, $4, $5 from connection where workspace_id = $1 and name = $6`,
        [workspaceId, `${week} ${text}`, text, author, `2026-03-${String(day).padStart(2, '0')}T10:00:00Z`, source],
      )
    }
  }

  async call<T>(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, as = this.people.ann): Promise<T> {
    const answer = await this.world.test.call(method, url, { as, ...(payload ? { payload } : {}) })
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`)
    return answer.json() as T
  }

  async statusOf(method: 'GET' | 'POST' | 'DELETE', url: string, as: TestPerson, payload?: object): Promise<number> {
    return (await this.world.test.call(method, url, { as, ...(payload ? { payload } : {}) })).statusCode
  }

  start(plan: Partial<RunPlan> = {}): Promise<EvaluationRun> {
    return this.call<EvaluationRun>('POST', '/api/evaluation-runs', { ...PLAN, ...plan })
  }

  async now(id: string): Promise<EvaluationRun> {
    const { runs } = await this.call<{ runs: EvaluationRun[] }>('GET', '/api/evaluation-runs')
    return runs.find(({ run_id }) => run_id === id) as EvaluationRun
  }

  /** Does the work of the background, all of it or a number of steps. */
  async work(
    { run_id }: EvaluationRun,
    { steps = Number.POSITIVE_INFINITY, lastAttempt = true, signal = new AbortController().signal } = {},
  ): Promise<void> {
    const { services } = this.world.test
    for (let taken = 0; taken < steps; taken++) {
      if (!(await takeStep(services, this.people.ann.workspaceId, run_id, { signal, lastAttempt }))) return
    }
  }

  async grade(run: EvaluationRun, grading: Partial<Grading> = {}): Promise<EvaluationRun> {
    await this.call('POST', `/api/evaluation-runs/${run.run_id}/grade`, grading)
    await this.work(run)
    return this.now(run.run_id)
  }

  async compared(directory: string): Promise<ComparisonSessions> {
    await this.call('POST', '/comparison/set_dir', { dir_name: directory })
    await this.call('POST', '/comparison/set_generator_filter', NO_OPTIONS)
    const { source_ids } = await this.call<{ source_ids: string[] }>('GET', '/comparison/get_input_options')
    await this.call('POST', '/comparison/set_input_filter', { input_filter: source_ids })
    return this.call<ComparisonSessions>('GET', '/comparison/get_comparison_sessions')
  }

  session(filename: string): Promise<EvalSession> {
    return this.call<EvalSession>('GET', `/eval/get_eval?filename=${encodeURIComponent(filename)}`)
  }

  /** Everything that the runs of a workspace store, as text. */
  async stored(): Promise<string> {
    await this.world.enter(this.people.ann.workspaceId)
    const texts: string[] = []
    for (const table of ['run', 'window', 'message', 'answer', 'grade']) {
      const { rows } = await this.world.owner.query(
        `select coalesce(string_agg(one::text, ' '), '') as text from evaluation_${table} one where workspace_id = $1`,
        [this.people.ann.workspaceId],
      )
      texts.push(rows[0].text)
    }
    return texts.join('\n')
  }
}

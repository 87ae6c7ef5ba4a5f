import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { connectionsView } from '../../connections/index.ts'
import { feedbackItemsView } from '../../feedback/index.ts'
import type { Generator } from '../generators/generator.ts'
import type { Window, WindowMessage } from '../generators/window.ts'

/** Where a run is: it answers, and then, if a person wants it, it is graded. */
export type RunState = 'answering' | 'answered' | 'cancelled' | 'failed' | 'grading' | 'graded'

/** A run as it is stored. `generators` and the contents of answers and grades are JSON that the caller parses. */
export type StoredRun = {
  id: string
  name: string
  generators: unknown
  repeats: number
  /** Names of models, and how often each is asked about an answer. */
  judges: string[]
  judgeRepeats: number
  state: RunState
  reason: string | null
  startedBy: string
  startedAt: Date
  /** Windows that are not emptied, and those that are. */
  windows: number
  removed: number
  answers: number
  /** Answers that could not be made. */
  failures: number
  grades: number
  tokens: number
}

/** A window without its messages. */
export type StoredWindow = Omit<Window, 'messages'> & { number: number; removed: boolean }

const message = sql`item.id::text as id, item.text, item.author, item.said_at as "saidAt", item.thread,
  coalesce(nullif(connection.name, ''), connection.connector) || coalesce(', ' || item.place, '') as source`

type MessageRow = Omit<WindowMessage, 'at' | 'thread'> & { saidAt: Date; thread: string | null }

function messageOf({ saidAt, thread, ...row }: MessageRow): WindowMessage {
  return { ...row, at: saidAt.getTime(), ...(thread === null ? {} : { thread }) }
}

/** An answer that could not be made is stored in its place as the reason, under a name that nothing looks for. */
const FAILED = 'failed'
const isFailed = sql`given.answer ? 'failed'`

/** The feedback of a workspace from one moment to another, which is not included, by time; at most `limit` messages. A source is named as its tile and the place in it. */
export async function readMessagesBetween(
  tx: Tx,
  workspaceId: string,
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Promise<WindowMessage[]> {
  const { rows } = await sql<MessageRow>`
    select ${message} from ${feedbackItemsView} item
    join ${connectionsView} connection on connection.workspace_id = item.workspace_id and connection.id = item.connection_id
    where item.workspace_id = ${workspaceId} and item.said_at >= ${from} and item.said_at < ${to}
    order by item.said_at, item.id limit ${limit}`.execute(tx)
  return rows.map(messageOf)
}

/** The first and the last day of the feedback of a workspace, in UTC; null: there is none. */
export async function readFeedbackDays(
  tx: Tx,
  workspaceId: string,
): Promise<{ first_day: string | null; last_day: string | null }> {
  const { rows } = await sql<{ first_day: string | null; last_day: string | null }>`
    select to_char(min(said_at) at time zone 'UTC', 'YYYY-MM-DD') as first_day,
      to_char(max(said_at) at time zone 'UTC', 'YYYY-MM-DD') as last_day
    from ${feedbackItemsView} item where workspace_id = ${workspaceId}`.execute(tx)
  return rows[0] ?? { first_day: null, last_day: null }
}

/** The names of the sources of a workspace's feedback. */
export async function readSources(tx: Tx, workspaceId: string): Promise<string[]> {
  const { rows } = await sql<{ source: string }>`
    select distinct source from (
      select distinct on (item.connection_id, item.place) coalesce(nullif(connection.name, ''), connection.connector) || coalesce(', ' || item.place, '') as source
      from ${feedbackItemsView} item
      join ${connectionsView} connection on connection.workspace_id = item.workspace_id and connection.id = item.connection_id
      where item.workspace_id = ${workspaceId}) found
    order by source`.execute(tx)
  return rows.map(({ source }) => source)
}

/** Stores a run with its windows. False: there is one of this name. */
export async function insertRun(
  tx: Tx,
  workspaceId: string,
  run: Pick<StoredRun, 'id' | 'name' | 'repeats' | 'startedBy' | 'startedAt'> & { generators: readonly Generator[] },
  windows: readonly Window[],
): Promise<boolean> {
  const { rows } = await sql`
    insert into evaluation_run (workspace_id, id, name, generators, repeats, state, started_by, started_at)
    values (${workspaceId}, ${run.id}, ${run.name}, ${JSON.stringify(run.generators)}::jsonb, ${run.repeats}, 'answering',
      ${run.startedBy}, ${run.startedAt})
    on conflict (workspace_id, name) do nothing returning 1`.execute(tx)
  if (rows.length === 0) return false
  for (const [number, { source_id, datetime_from, datetime_to, messages }] of windows.entries()) {
    await sql`
      insert into evaluation_window (workspace_id, run_id, number, source_id, datetime_from, datetime_to)
      values (${workspaceId}, ${run.id}, ${number}, ${source_id}, ${datetime_from}, ${datetime_to})`.execute(tx)
    await sql`
      insert into evaluation_message (workspace_id, run_id, window_number, place, item_id)
      select ${workspaceId}::uuid, ${run.id}::uuid, ${number}::int, (place - 1)::int, id
      from unnest(${messages.map(({ id }) => id)}::bigint[]) with ordinality as given (id, place)`.execute(tx)
  }
  return true
}

const ofRun = sql`
  select run.id, run.name, run.generators, run.repeats, run.state, run.reason,
    run.judges, run.judge_repeats as "judgeRepeats", run.started_by as "startedBy", run.started_at as "startedAt",
    (select count(*)::int from evaluation_window one where one.workspace_id = run.workspace_id and one.run_id = run.id and not removed) as windows,
    (select count(*)::int from evaluation_window one where one.workspace_id = run.workspace_id and one.run_id = run.id and removed) as removed,
    answered.answers, answered.failures, answered.tokens + graded.tokens as tokens, graded.grades
  from evaluation_run run, lateral (
    select (count(*) filter (where not ${isFailed}))::int as answers, (count(*) filter (where ${isFailed}))::int as failures,
      coalesce(sum(tokens), 0)::float8 as tokens
    from evaluation_answer given where given.workspace_id = run.workspace_id and given.run_id = run.id) answered,
  lateral (
    select count(*)::int as grades, coalesce(sum(tokens), 0)::float8 as tokens from evaluation_grade one
    where one.workspace_id = run.workspace_id and one.run_id = run.id) graded`

/** The runs of a workspace, the newest first. */
export async function readRuns(tx: Tx, workspaceId: string): Promise<StoredRun[]> {
  const { rows } = await sql<StoredRun>`
    ${ofRun} where run.workspace_id = ${workspaceId} order by run.started_at desc, run.id`.execute(tx)
  return rows
}

/** Null: there is no such run in the workspace. */
export async function findRun(
  tx: Tx,
  workspaceId: string,
  by: { id: string } | { name: string },
): Promise<StoredRun | null> {
  const isIt = 'id' in by ? sql`run.id = ${by.id}` : sql`run.name = ${by.name}`
  const { rows } = await sql<StoredRun>`${ofRun} where run.workspace_id = ${workspaceId} and ${isIt}`.execute(tx)
  return rows[0] ?? null
}

/** The state of a run, locked until the end of the transaction; null: it is deleted. */
export async function lockRun(tx: Tx, workspaceId: string, id: string): Promise<RunState | null> {
  const { rows } = await sql<{ state: RunState }>`
    select state from evaluation_run where workspace_id = ${workspaceId} and id = ${id} for update`.execute(tx)
  return rows[0]?.state ?? null
}

/** Changes the state of a run. `endedAt`: null while it is under way. */
export async function setRunState(
  tx: Tx,
  workspaceId: string,
  id: string,
  { state, reason = null, endedAt }: { state: RunState; reason?: string | null; endedAt: Date | null },
): Promise<void> {
  await sql`
    update evaluation_run set state = ${state}, reason = ${reason}, ended_at = ${endedAt}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}

/** Chooses the models that grade a run. */
export async function setJudges(
  tx: Tx,
  workspaceId: string,
  id: string,
  { judges, judgeRepeats }: Pick<StoredRun, 'judges' | 'judgeRepeats'>,
): Promise<void> {
  await sql`
    update evaluation_run set judges = ${JSON.stringify(judges)}::jsonb, judge_repeats = ${judgeRepeats}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}

/** Deletes a run with its answers and grades. */
export async function deleteRun(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await sql`delete from evaluation_run where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}

/** The first window of a run that has fewer answers than there are generators; null: there is none. */
export async function nextUnanswered(
  tx: Tx,
  workspaceId: string,
  runId: string,
): Promise<{ number: number; answered: number[] } | null> {
  const { rows } = await sql<{ number: number; answered: number[] }>`
    select number, answered from evaluation_window one, lateral (
      select coalesce(array_agg(generator), '{}') as answered from evaluation_answer given
      where given.workspace_id = one.workspace_id and given.run_id = one.run_id and given.window_number = one.number) given,
      lateral (select jsonb_array_length(generators) as generators from evaluation_run run
        where run.workspace_id = one.workspace_id and run.id = one.run_id) run
    where one.workspace_id = ${workspaceId} and one.run_id = ${runId} and not removed and cardinality(answered) < run.generators
    order by number limit 1`.execute(tx)
  return rows[0] ?? null
}

/** An answer that has no grade yet; null: there is none. */
export async function nextUngraded(
  tx: Tx,
  workspaceId: string,
  runId: string,
): Promise<{ number: number; generator: number } | null> {
  const { rows } = await sql<{ number: number; generator: number }>`
    select given.window_number as number, given.generator from evaluation_answer given
    where given.workspace_id = ${workspaceId} and given.run_id = ${runId} and not ${isFailed} and not exists (
      select from evaluation_grade grade where grade.workspace_id = given.workspace_id and grade.run_id = given.run_id
        and grade.window_number = given.window_number and grade.generator = given.generator)
    order by 1, 2 limit 1`.execute(tx)
  return rows[0] ?? null
}

/** The windows of a run, in order. */
export async function readWindows(tx: Tx, workspaceId: string, runId: string): Promise<StoredWindow[]> {
  const { rows } = await sql<StoredWindow>`
    select number, source_id, datetime_from, datetime_to, removed from evaluation_window
    where workspace_id = ${workspaceId} and run_id = ${runId} order by number`.execute(tx)
  return rows
}

/** The messages of the windows of a run as they are now, by window. `number`: of one window only. */
export async function readWindowMessages(
  tx: Tx,
  workspaceId: string,
  runId: string,
  number: number | null = null,
): Promise<Map<number, WindowMessage[]>> {
  const { rows } = await sql<MessageRow & { number: number }>`
    select said.window_number as number, ${message} from evaluation_message said
    join evaluation_window one on one.workspace_id = said.workspace_id and one.run_id = said.run_id and one.number = said.window_number
    join ${feedbackItemsView} item on item.workspace_id = said.workspace_id and item.id = said.item_id
    join ${connectionsView} connection on connection.workspace_id = item.workspace_id and connection.id = item.connection_id
    where said.workspace_id = ${workspaceId} and said.run_id = ${runId} and not one.removed
      and (${number}::int is null or said.window_number = ${number}::int)
    order by said.window_number, said.place`.execute(tx)
  const windows = new Map<number, WindowMessage[]>()
  for (const { number: at, ...row } of rows) windows.set(at, [...(windows.get(at) ?? []), messageOf(row)])
  return windows
}

/** A known answer of this name, of any run of the workspace; null: there is none. */
export async function findAnswer(
  tx: Tx,
  workspaceId: string,
  key: string,
): Promise<{ answer: unknown; tokens: number } | null> {
  const { rows } = await sql<{ answer: unknown; tokens: number }>`
    select answer, tokens::float8 as tokens from evaluation_answer where workspace_id = ${workspaceId} and key = ${key} limit 1`.execute(
    tx,
  )
  return rows[0] ?? null
}

/** Which of these names have an answer. */
export async function knownAnswers(tx: Tx, workspaceId: string, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select distinct key from evaluation_answer where workspace_id = ${workspaceId} and key = any(${[...keys]}::text[])`.execute(
    tx,
  )
  return new Set(rows.map(({ key }) => key))
}

/** Stores an answer, unless the window was emptied since its messages were read, or has one. */
export async function insertAnswer(
  tx: Tx,
  workspaceId: string,
  runId: string,
  {
    number,
    generator,
    key,
    answer,
    tokens,
  }: { number: number; generator: number; key: string; answer: object; tokens: number },
): Promise<void> {
  // Locked against a message that is being deleted or edited.
  await sql`
    with open as (
      select number from evaluation_window
      where workspace_id = ${workspaceId} and run_id = ${runId} and number = ${number} and not removed for update)
    insert into evaluation_answer (workspace_id, run_id, window_number, generator, key, answer, tokens)
    select ${workspaceId}::uuid, ${runId}::uuid, number, ${generator}::int, ${key}, ${JSON.stringify(answer)}::jsonb, ${tokens}::bigint from open
    on conflict do nothing`.execute(tx)
}

/** Stores in the place of an answer why there is none. `tokens`: that were used for it. */
export async function insertFailure(
  tx: Tx,
  workspaceId: string,
  runId: string,
  { number, generator, reason, tokens }: { number: number; generator: number; reason: string; tokens: number },
): Promise<void> {
  await insertAnswer(tx, workspaceId, runId, { number, generator, key: FAILED, answer: { [FAILED]: reason }, tokens })
}

/** Why the last of the answers that failed could not be made; null: none has failed. */
export async function readFailure(tx: Tx, workspaceId: string, runId: string): Promise<string | null> {
  const { rows } = await sql<{ reason: string }>`
    select given.answer ->> ${FAILED} as reason from evaluation_answer given
    where given.workspace_id = ${workspaceId} and given.run_id = ${runId} and ${isFailed}
    order by given.window_number desc, given.generator desc limit 1`.execute(tx)
  return rows[0]?.reason ?? null
}

/** Forgets the answers that failed, so that they are tried again. */
export async function deleteFailures(tx: Tx, workspaceId: string, runId: string): Promise<void> {
  await sql`
    delete from evaluation_answer given where given.workspace_id = ${workspaceId} and given.run_id = ${runId} and ${isFailed}`.execute(
    tx,
  )
}

/** The answers of a run, or one of them, with their grades. */
export async function readAnswers(
  tx: Tx,
  workspaceId: string,
  runId: string,
  one: { number: number; generator: number } | { generator: number } | null = null,
): Promise<{ number: number; generator: number; answer: unknown; grade: unknown }[]> {
  const generator = one?.generator ?? null
  const number = one && 'number' in one ? one.number : null
  const { rows } = await sql<{ number: number; generator: number; answer: unknown; grade: unknown }>`
    select given.window_number as number, given.generator, given.answer, grade.grade from evaluation_answer given
    left join evaluation_grade grade on grade.workspace_id = given.workspace_id and grade.run_id = given.run_id
      and grade.window_number = given.window_number and grade.generator = given.generator
    where given.workspace_id = ${workspaceId} and given.run_id = ${runId}
      and (${number}::int is null or given.window_number = ${number}::int)
      and (${generator}::int is null or given.generator = ${generator}::int)
    order by given.generator, given.window_number`.execute(tx)
  return rows
}

/** Stores a grade, unless its answer was removed meanwhile. */
export async function insertGrade(
  tx: Tx,
  workspaceId: string,
  runId: string,
  { number, generator, grade, tokens }: { number: number; generator: number; grade: object; tokens: number },
): Promise<void> {
  await sql`
    with open as (
      select generator from evaluation_answer
      where workspace_id = ${workspaceId} and run_id = ${runId} and window_number = ${number} and generator = ${generator} for update)
    insert into evaluation_grade (workspace_id, run_id, window_number, generator, grade, tokens)
    select ${workspaceId}::uuid, ${runId}::uuid, ${number}::int, generator, ${JSON.stringify(grade)}::jsonb, ${tokens}::bigint from open
    on conflict do nothing`.execute(tx)
}

/** Removes the grades of a run, so that it can be graded again. */
export async function deleteGrades(tx: Tx, workspaceId: string, runId: string): Promise<void> {
  await sql`delete from evaluation_grade where workspace_id = ${workspaceId} and run_id = ${runId}`.execute(tx)
}

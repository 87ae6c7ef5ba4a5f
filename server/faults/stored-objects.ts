import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** Runs statements as the owner, in the one workspace. */
export async function asOwnerOf(url: string, ...statements: string[]): Promise<void> {
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  try {
    const { rows } = await owner.query<{ workspace: string }>('select workspace_id as workspace from workspace')
    await owner.query('select set_config($1, $2, false)', ['groundswell.workspace', rows[0]?.workspace])
    for (const statement of statements) await owner.query(statement)
  } finally {
    await owner.end()
  }
}

/** An evaluation run that was cancelled after an answer. */
export async function makeRun(url: string): Promise<string> {
  const id = randomUUID()
  const generator = { llm_model_name: 'words', method: 'built-in', response_class: 'Issue' }
  await asOwnerOf(
    url,
    'delete from evaluation_run',
    `insert into evaluation_run (workspace_id, id, name, generators, repeats, state, started_by, started_at)
     select workspace_id, '${id}', 'fuzz', '${JSON.stringify([generator])}', 0, 'cancelled', 'Ann', now() from workspace`,
    `insert into evaluation_window (workspace_id, run_id, number, source_id, datetime_from, datetime_to)
     select workspace_id, '${id}', 0, 'one', '2026-01-01', '2026-01-02' from workspace`,
    `insert into evaluation_answer (workspace_id, run_id, window_number, generator, key, answer)
     select workspace_id, '${id}', 0, 0, 'one', '{"answers": [{"responses": [], "members": []}]}' from workspace`,
  )
  return id
}

/** A customer that is there now: earlier calls may have removed the previous one. */
export async function makeCustomer(url: string): Promise<string> {
  const id = randomUUID()
  await asOwnerOf(
    url,
    `insert into customer (workspace_id, id, key, name, name_key, listed) select workspace_id, '${id}', '${id}', 'Acme', 'acme', true from workspace`,
  )
  return id
}

/** A source that was disconnected and whose feedback stayed. */
export async function keepFeedback(url: string): Promise<string> {
  const id = randomUUID()
  await asOwnerOf(
    url,
    `insert into connection (workspace_id, id, connector, disconnected_at) select workspace_id, '${id}', 'zendesk', now() from workspace`,
    `insert into feedback_item (workspace_id, connection_id, external_id, text, said_at)
     select workspace_id, '${id}', 'a', 'The export stops halfway', now() from workspace`,
  )
  return id
}

import type pg from 'pg'
import { FIRST_ADMIN_LOCK } from '../../platform/db/first-admin-lock.ts'
import { openClient } from '../../platform/db/guarded-client.ts'
import { LONG } from '../../platform/db/limits.ts'
import { ownerOf } from '../../platform/db/owner.ts'
import { BackupError } from './format.ts'

/** One table of a backup. `tenant`: its rows are visible only in their workspace. Referenced tables come before those that refer to them. */
export type BackedUpTable = { table: string; tenant: boolean; withheld: readonly string[] }

/** Everything that a restored installation needs. `withheld` columns are left out of a backup without secrets. */
export const backedUpTables: readonly BackedUpTable[] = [
  { table: 'first_admin', tenant: false, withheld: [] },
  { table: 'account', tenant: false, withheld: [] },
  { table: 'identity', tenant: false, withheld: [] },
  { table: 'factor', tenant: false, withheld: ['sealed_secret'] },
  { table: 'recovery_code', tenant: false, withheld: [] },
  { table: 'workspace', tenant: true, withheld: [] },
  { table: 'audit_event', tenant: false, withheld: [] },
  { table: 'member', tenant: true, withheld: [] },
  { table: 'api_key', tenant: true, withheld: [] },
  { table: 'invitation', tenant: true, withheld: [] },
  { table: 'sso_provider', tenant: true, withheld: ['sealed_secret'] },
  { table: 'shared_link', tenant: true, withheld: [] },
  { table: 'saved_view', tenant: true, withheld: [] },
  { table: 'visit', tenant: true, withheld: [] },
  { table: 'eval_score', tenant: true, withheld: [] },
  { table: 'case_consent', tenant: true, withheld: [] },
  { table: 'digest_choice', tenant: true, withheld: [] },
  { table: 'digest_mail', tenant: true, withheld: [] },
  { table: 'alert_item', tenant: true, withheld: [] },
  { table: 'notice_item', tenant: true, withheld: [] },
  { table: 'connection', tenant: true, withheld: ['sealed_secrets'] },
  { table: 'post_channel', tenant: true, withheld: [] },
  { table: 'post', tenant: true, withheld: [] },
  { table: 'post_alert', tenant: true, withheld: [] },
  { table: 'event_subscription', tenant: true, withheld: ['sealed'] },
  { table: 'sync_state', tenant: true, withheld: [] },
  { table: 'provider_app', tenant: true, withheld: ['sealed'] },
  { table: 'provider_event', tenant: true, withheld: [] },
  { table: 'item_version', tenant: true, withheld: [] },
  { table: 'feedback_item', tenant: true, withheld: [] },
  { table: 'customer', tenant: true, withheld: [] },
  { table: 'feedback_customer', tenant: true, withheld: [] },
  { table: 'attribute_value', tenant: true, withheld: [] },
  { table: 'feedback_attribute', tenant: true, withheld: [] },
  { table: 'customer_due', tenant: true, withheld: [] },
  { table: 'customer_fill', tenant: true, withheld: [] },
  { table: 'context_message', tenant: true, withheld: [] },
  { table: 'insight', tenant: true, withheld: [] },
  { table: 'emerging_insight', tenant: true, withheld: [] },
  { table: 'theme', tenant: true, withheld: [] },
  { table: 'insight_theme', tenant: true, withheld: [] },
  { table: 'insight_tag', tenant: true, withheld: [] },
  { table: 'told_person', tenant: true, withheld: [] },
  { table: 'insight_comment', tenant: true, withheld: [] },
  { table: 'insight_event', tenant: true, withheld: [] },
  { table: 'statement', tenant: true, withheld: [] },
  { table: 'mention_move', tenant: true, withheld: [] },
  { table: 'kind_correction', tenant: true, withheld: [] },
  { table: 'member_suggestion', tenant: true, withheld: [] },
  { table: 'merge_suggestion', tenant: true, withheld: [] },
  { table: 'declined_merge', tenant: true, withheld: [] },
  { table: 'correction', tenant: true, withheld: [] },
  { table: 'statement_rule', tenant: true, withheld: [] },
  { table: 'correction_statement', tenant: true, withheld: [] },
  { table: 'forgotten_item', tenant: true, withheld: [] },
  { table: 'engine_state', tenant: true, withheld: [] },
  { table: 'embedding_choice', tenant: true, withheld: [] },
  { table: 'embedding_model', tenant: false, withheld: [] },
  { table: 'embedding_budget', tenant: false, withheld: [] },
  { table: 'model_description', tenant: true, withheld: [] },
  { table: 'model_day', tenant: true, withheld: [] },
  { table: 'model_budget', tenant: false, withheld: [] },
  { table: 'model_join', tenant: true, withheld: [] },
  { table: 'model_answer', tenant: true, withheld: [] },
  { table: 'model_split', tenant: true, withheld: [] },
  { table: 'model_reading', tenant: true, withheld: [] },
  { table: 'model_review', tenant: true, withheld: [] },
  { table: 'model_move', tenant: true, withheld: [] },
  { table: 'reading_choice', tenant: true, withheld: [] },
  { table: 'evaluation_run', tenant: true, withheld: [] },
  { table: 'evaluation_window', tenant: true, withheld: [] },
  { table: 'evaluation_message', tenant: true, withheld: [] },
  { table: 'evaluation_answer', tenant: true, withheld: [] },
  { table: 'evaluation_grade', tenant: true, withheld: [] },
  { table: 'model_look', tenant: true, withheld: [] },
  { table: 'delivery', tenant: true, withheld: [] },
  { table: 'attempt', tenant: true, withheld: [] },
  { table: 'remote_item', tenant: true, withheld: [] },
  { table: 'import', tenant: true, withheld: [] },
  { table: 'import_chunk', tenant: true, withheld: [] },
  { table: 'import_row', tenant: true, withheld: [] },
  { table: 'replaced_text', tenant: true, withheld: [] },
  { table: 'feedback_retention', tenant: true, withheld: [] },
  { table: 'erased_message', tenant: true, withheld: [] },
  // Last: rows that are restored before are not recorded as events.
  { table: 'receiver', tenant: true, withheld: ['sealed'] },
  { table: 'outgoing_event', tenant: true, withheld: [] },
  { table: 'receiver_delivery', tenant: true, withheld: [] },
]

/**
 * Left out of a backup: sign-ins, the keys that sign them, and temporary choices, shares and failures end with the installation; what the engine
 * has read for tags it reads again, and sweeps check every workspace again; mentions and kinds are counted again, and messages made findable, as they are restored; vectors are
 * computed again by their model; migrations and functions belong to
 * the code, and the retention of the audit log to the settings of the installation.
 */
export const leftOutTables: readonly string[] = [
  'session',
  'refresh_token',
  'session_place',
  'token_notice',
  'signing_key',
  'challenge',
  'flow_state',
  'one_time_token',
  'oauth_state',
  'request_pause',
  'attempt_count',
  'budget_share',
  'call_turn',
  'job_lease',
  'job_worker',
  'comparison_selection',
  'mention_change',
  'counted_author',
  'insight_person',
  'insight_source',
  'insight_source_day',
  'insight_day',
  'insight_total',
  'report_day',
  'report_day_due',
  'customer_change',
  'insight_customer',
  'attribute_change',
  'attribute_total',
  'insight_attribute',
  'tag_check',
  'feedback_search',
  'search_fill',
  'search_renewal',
  'sweep_mark',
  'model_trouble',
  'statement_vector',
  'late_vector',
  'kind_count',
  'kind_change',
  'embedding_switch',
  'embedding_trouble',
  'encoder_trouble',
  'encoder_reading',
  'audit_retention',
  'migration',
  'function_file',
]

const PAGE = 500

/** The product's tables that exist in the database. */
export async function productTables(client: pg.Client): Promise<string[]> {
  const found = await client.query<{ table_name: string }>(
    `select table_name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`,
  )
  return found.rows.map((row) => row.table_name)
}

/** The number of the newest migration that has run; 0 on an empty database. */
export async function newestMigration(client: pg.Client): Promise<number> {
  const found = await client.query<{ version: number }>('select coalesce(max(version), 0) as version from migration')
  return found.rows[0]?.version ?? 0
}

/** Any other role may not see every row, and would write a backup that looks complete. */
export async function requireOwner(client: pg.Client): Promise<void> {
  const { owns, user } = await ownerOf(client)
  if (owns) return
  throw new BackupError(
    `Backups are made and restored by the owner of the tables, and ${user} is not: set DATABASE_ADMIN_URL.`,
  )
}

/** From here to the end of the transaction, rows of this workspace are visible even where row-level security is forced. */
export async function enterWorkspace(client: pg.Client, workspaceId: string): Promise<void> {
  await client.query(`select set_config('groundswell.workspace', $1, true)`, [workspaceId])
}

/** The rows of a table as JSON texts, a page at a time, so that memory does not grow with the table. */
export async function* readTable(
  client: pg.Client,
  { table, tenant, withheld }: BackedUpTable,
  workspaceId: string | null,
  secrets: boolean,
): AsyncGenerator<string> {
  const row = secrets ? 'to_jsonb(r)' : withheld.reduce((json, column) => `${json} - '${column}'`, 'to_jsonb(r)')
  const where = tenant ? 'where r.workspace_id = $1' : ''
  await client.query(
    `declare backup_rows cursor for select (${row})::text as row from ${table} r ${where}`,
    tenant ? [workspaceId] : [],
  )
  for (;;) {
    const page = await client.query<{ row: string }>(`fetch ${PAGE} from backup_rows`)
    for (const { row: text } of page.rows) yield text
    if (page.rows.length < PAGE) break
  }
  await client.query('close backup_rows')
}

/** Writes rows back unchanged, including generated ids. */
export async function writeRows(client: pg.Client, table: string, rows: string[]): Promise<void> {
  await client.query(
    `insert into ${table} overriding system value select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
    [`[${rows.join(',')}]`],
  )
}

/** True for database errors about invalid rows: a broken reference, an invalid value. */
export function isBadRow(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && (code.startsWith('22') || code.startsWith('23'))
}

/** Sets the sequences to continue after the restored ids. */
export async function advanceSequences(client: pg.Client): Promise<void> {
  await client.query(
    `select setval(pg_get_serial_sequence('feedback_item', 'id'), greatest((select max(id) from feedback_item), 1)),
      setval(pg_get_serial_sequence('audit_event', 'id'), greatest((select max(id) from audit_event), 1))`,
  )
}

/** Marks connections of these connectors, whose secrets were not in the backup, as waiting to be connected again. Returns how many. */
export async function markWithoutSecrets(
  client: pg.Client,
  workspaceId: string,
  connectors: readonly string[],
  ids: readonly string[] | null,
): Promise<number> {
  const marked = await client.query(
    `update connection set paused = account is null, signed_out = account is not null, sealed_secrets = null,
            error = case when account is null then 'Restored without its secrets: disconnect and connect again.'
              else 'Restored without its secrets: connect again.' end
      where workspace_id = $1 and disconnected_at is null and connector = any($2::text[])
        and ($3::text[] is null or id::text = any($3))`,
    [workspaceId, connectors, ids],
  )
  return marked.rowCount ?? 0
}

/** Keeps everyone else from making accounts until the transaction ends, after those that are being made. */
export async function lockAccounts(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [FIRST_ADMIN_LOCK])
  await client.query('lock table account in share row exclusive mode')
}

/** Whether a database has an account. It must be migrated. */
export async function holdsAccounts(client: pg.Client): Promise<boolean> {
  const found = await client.query<{ used: boolean }>('select exists (select from account) as used')
  return found.rows[0]?.used ?? false
}

/** The id of the server's process that serves this connection. */
export async function backendOf(client: pg.Client): Promise<number> {
  const found = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return found.rows[0]?.pid ?? 0
}

/** Any fixed number: it names the lock of the process that writes a scheduled backup. */
const BACKUP_LOCK = 7_236_410_917

/** Runs `work` while no other process writes a scheduled backup of this database; null, without running it, when one does. */
export async function withBackupLock<T>(ownerUrl: string, work: () => Promise<T>): Promise<T | null> {
  const client = await openClient(ownerUrl, 'groundswell backup', LONG)
  try {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [BACKUP_LOCK])
    return rows[0]?.held ? await work() : null
  } finally {
    await client.end().catch(() => undefined)
  }
}

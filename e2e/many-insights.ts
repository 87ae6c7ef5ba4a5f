import { inWorkspace, type Tx } from '@groundswell/server/platform/db/tenant.ts'
import type { Services } from '@groundswell/server/platform/services.ts'
import { sql } from 'kysely'

/** Names that differ in length, script and direction, as a list of thousands has them. */
const NAMES = [
  'The CSV export of large reports times out',
  'Cannot log in after the update',
  'Dark mode for the dashboard',
  'يتعطل التطبيق عند فتح التقارير الكبيرة',
  'Die Benachrichtigungseinstellungsübersicht lässt sich auf kleinen Bildschirmen nicht vollständig anzeigen und springt ständig zurück',
  'Search forgets its filters',
  '通知が届かないことがある',
  'Invoices show the wrong address',
  'Webhook is slow',
  'ReportGenerationServiceTimeoutExceptionWhileWritingToTheTemporaryStorageBucketOfTheWorkspaceWithoutAnySpacesAtAll',
]

const AREAS = ['Export', 'Sign-in', 'Search', 'Billing', 'Notifications']

export type Seed = { insights: number; tags?: number; mentions?: number }

/**
 * Writes insights straight into the account's workspace, as grouping would leave them: each with `mentions` messages (3
 * unless said otherwise), every seventh with a spike of them this week. `tags` so many tags are in the settings; the first two have values.
 */
export async function seedInsights(services: Services, email: string, seed: Seed): Promise<void> {
  const found = await services.db.pool.query<{ workspace_id: string }>(
    `select s.workspace_id from session s join account a on a.id = s.account_id where a.email = $1 limit 1`,
    [email],
  )
  const workspaceId = found.rows[0]?.workspace_id
  if (!workspaceId) throw new Error(`nobody is signed in as ${email}`)
  await inWorkspace(services.db, workspaceId, (tx) => fill(tx, workspaceId, seed))
}

async function fill(tx: Tx, workspaceId: string, { insights, tags = 0, mentions = 3 }: Seed): Promise<void> {
  const categories = Array.from({ length: tags }, (_, at) => ({
    name: at === 0 ? 'Area' : at === 1 ? 'Mood' : `Tag number ${at + 1}`,
    description: 'Which part of the product the message is about, in one word',
  }))
  await sql`
    update workspace set settings = settings || ${JSON.stringify({ categories })}::jsonb, revision = revision + 1
    where workspace_id = ${workspaceId}`.execute(tx)
  await sql`
    insert into connection (workspace_id, connector, status) values (${workspaceId}, 'file', 'connected')
    on conflict do nothing`.execute(tx)
  await sql`
    insert into insight (workspace_id, issue_number, name, summary, status, mention_count, people_count, heard, sources,
      first_seen, last_seen, last_updated, revision)
    select ${workspaceId}, n, (${NAMES}::text[])[1 + n % ${NAMES.length}::int] || ' ' || n,
      'Customers say that this happens again and again; some have found a way round it, most have not.',
      (array['created', 'pushed', 'resolved', 'regressed', 'created'])[1 + n % 5], ${mentions}::int, least(${mentions}::int, 4), ${mentions}::int,
      case when n % 3 = 0 then array['file', 'slack'] else array['file'] end,
      now() - interval '80 days', now() - (n % 900) * interval '7 hours', now() - (n % 900) * interval '7 hours',
      (select revision from workspace where workspace_id = ${workspaceId})
    from generate_series(1, ${insights}::int) n`.execute(tx)
  await sql`
    with made as (
      insert into feedback_item (workspace_id, connection_id, external_id, text, author, link, place, said_at, grouped_seq)
      select ${workspaceId}, c.id, n || '-' || m, 'Hello! The export of our reports fails again today (' || m || '). Please have a look.',
        (array['Ann Example', 'Bob Sample', 'Cem Probe', null])[1 + m % 4], 'https://example.com/' || n || '/' || m,
        case when m % 2 = 0 then '#support' end,
        now() - case when n % 7 = 0 then m * interval '5 hours' else ((n + m * 13) % 80) * interval '1 day' end, n
      from connection c, generate_series(1, ${insights}::int) n, generate_series(1, ${mentions}::int) m
      where c.workspace_id = ${workspaceId} and c.connector = 'file'
      returning id, external_id, said_at)
    insert into statement (workspace_id, item_id, number, start_offset, end_offset, kind, issue_number, score, reason, said_at)
    select ${workspaceId}, id, 0, 7, 44, 'joined', split_part(external_id, '-', 1)::int, 1, 'seeded', said_at from made`.execute(
    tx,
  )
  if (tags > 0) {
    await sql`
      insert into insight_tag (workspace_id, issue_number, tag, set_by, kind, value, colour)
      select ${workspaceId}, n, t.tag, 'engine', t.kind, t.value, t.colour
      from generate_series(1, ${insights}::int) n
      cross join lateral (values
        ('Area', 'category', to_jsonb((${AREAS}::text[])[1 + n % 5]), (array['#2f7ed8', '#c2571a', '#3f8f3f', '#a8489b', '#8a6d1f'])[1 + n % 5]),
        ('Mood', 'calculated', to_jsonb(round((n % 50) / 10.0, 2)), null)
      ) t (tag, kind, value, colour)`.execute(tx)
  }
  await sql`
    select pg_notify('revision', workspace_id || ':' || revision) from workspace where workspace_id = ${workspaceId}`.execute(
    tx,
  )
}

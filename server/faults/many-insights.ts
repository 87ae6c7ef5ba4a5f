import { tagsKey } from '../features/insights/index.ts'

/** Names that differ in length, script and direction, as in a list of thousands. */
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
const AREA_COLOURS = ['#2f7ed8', '#c2571a', '#3f8f3f', '#a8489b', '#8a6d1f']

/**
 * `tags`: this many are in the settings; the first two have a value on every insight, the others on the first insight only.
 * Each insight has `mentions` messages, by default three.
 */
export type Seed = { insights: number; tags?: number; mentions?: number }

type Run = (text: string, values: unknown[]) => Promise<unknown>

/**
 * Writes insights directly into a workspace, as grouping would leave them; every seventh has all its mentions in this week.
 * `run` executes one statement with permission to write there.
 */
export async function seedInsights(run: Run, workspaceId: string, seed: Seed): Promise<void> {
  const { insights, tags = 0, mentions = 3 } = seed
  const categories = Array.from({ length: tags }, (_, at) => ({
    name: at === 0 ? 'Area' : at === 1 ? 'Mood' : `Tag number ${at + 1}`,
    description: 'Which part of the product the message is about, in one word',
  }))
  await run(`update workspace set settings = settings || $2::jsonb, revision = revision + 1 where workspace_id = $1`, [
    workspaceId,
    JSON.stringify({ categories }),
  ])
  await run(`insert into connection (workspace_id, connector) values ($1, 'file') on conflict do nothing`, [
    workspaceId,
  ])
  await run(
    `insert into insight (workspace_id, issue_number, name, summary, status, mention_count, people_count, heard, sources,
        first_seen, last_seen, last_updated, revision)
      select $1::uuid, n, ($4::text[])[1 + n % cardinality($4::text[])] || ' ' || n,
        'Customers say that this happens again and again; some have found a way round it, most have not.',
        (array['created', 'pushed', 'resolved', 'regressed', 'created'])[1 + n % 5], $3::int, least($3::int, 4), $3::int,
        case when n % 3 = 0 then array['file', 'slack'] else array['file'] end, now() - interval '80 days',
        now() - (n % 900) * interval '7 hours', now() - (n % 900) * interval '7 hours',
        (select revision from workspace where workspace_id = $1)
      from generate_series(1, $2::int) n`,
    [workspaceId, insights, mentions, NAMES],
  )
  await run(
    `with made as (
        insert into feedback_item (workspace_id, connection_id, external_id, text, author, link, place, said_at, grouped_seq)
        select $1::uuid, c.id, n || '-' || m,
          'Hello! The export of our reports fails again today (' || m || '). Please have a look.',
          (array['Ann Example', 'Bob Sample', 'Cem Probe', null])[1 + m % 4], 'https://example.com/' || n || '/' || m,
          case when m % 2 = 0 then '#support' end,
          now() - case when n % 7 = 0 then m * interval '5 hours' else ((n + m * 13) % 80) * interval '1 day' end, n
        from connection c, generate_series(1, $2::int) n, generate_series(1, $3::int) m
        where c.workspace_id = $1::uuid and c.connector = 'file'
        returning id, external_id, said_at)
      insert into statement (workspace_id, item_id, number, start_offset, end_offset, kind, issue_number, score, reason,
        said_at)
      select $1::uuid, id, 0, 7, 44, 'joined', split_part(external_id, '-', 1)::int, 1, 'seeded', said_at from made`,
    [workspaceId, insights, mentions],
  )
  if (tags > 0) {
    await run(
      `insert into insight_tag (workspace_id, issue_number, tag, set_by, kind, value, colour)
        select $1::uuid, n, t.tag, 'engine', t.kind, t.value, t.colour
        from generate_series(1, $2::int) n
        cross join lateral (values
          ('Area', 'category', to_jsonb(($3::text[])[1 + n % 5]), ($4::text[])[1 + n % 5]),
          ('Mood', 'calculated', to_jsonb(round((n % 50) / 10.0, 2)), null)
        ) t (tag, kind, value, colour)`,
      [workspaceId, insights, AREAS, AREA_COLOURS],
    )
  }
  if (tags > 0) {
    // Marked as already read; otherwise the engine's own values would replace these.
    await run(
      `insert into tag_check (workspace_id, issue_number, revision, tags, counted_at)
        select workspace_id, issue_number, revision, $2, now() from insight where workspace_id = $1`,
      [workspaceId, tagsKey(categories)],
    )
  }
  if (tags > 2) {
    await run(
      `insert into insight_tag (workspace_id, issue_number, tag, set_by, kind, value)
        select $1::uuid, 1, 'Tag number ' || n, 'engine', 'category', to_jsonb('Value ' || n) from generate_series(3, $2::int) n`,
      [workspaceId, tags],
    )
  }
  await run(`select pg_notify('revision', workspace_id || ':' || revision) from workspace where workspace_id = $1`, [
    workspaceId,
  ])
}

import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { REPORT_PARTS } from '@groundswell/contract/reports.ts'
import { boot } from '@groundswell/server/boot.ts'
import { countDays, insightRoutes } from '@groundswell/server/features/insights/index.ts'
import { writeTimeZone } from '@groundswell/server/features/workspaces/index.ts'
import { readConfig } from '@groundswell/server/platform/config/config.ts'
import { openClient } from '@groundswell/server/platform/db/guarded-client.ts'
import { LONG } from '@groundswell/server/platform/db/limits.ts'
import { inWorkspace } from '@groundswell/server/platform/db/tenant.ts'
import { believingServer } from '@groundswell/server/platform/http/testing.ts'
import { type Figure, figure } from '../engine/figures.ts'
import { cpuMs } from './processes.ts'

const TARGET_MS = 500
/** The days of counts are those of UTC: elsewhere the mentions of the days are counted. */
const ZONES = ['UTC', 'Europe/Berlin']
/** Parts that are counted by day in the background. */
const COUNTED = ['none', 'kind', 'source', 'plan', 'region', 'revenue', 'attribute']
const PER_INSIGHT = 100
const THEMES = 40
const CUSTOMERS = 10_000
/** Ratings from 1 to 10, in turn. */
const RATINGS = 10
const BAD_RATINGS = 'rating=1&rating=2'
const WORKSPACE = '00000000-0000-4000-8000-000000000001'

/**
 * How long the report on a year takes over HTTP, in milliseconds, in a workspace with `rows` mentions in that year: with all days counted, and while some or
 * all still have to be. Also for the mentions with some ratings only, and for the list of insights with these.
 */
export async function benchReport({ rows, runs }: { rows: number; runs: number }): Promise<Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'groundswell-bench-'))
  const config = readConfig({ GROUNDSWELL_DATA: folder, PORT: '0', LOG_LEVEL: 'silent', ENCODER: 'off' })
  const { services, stop } = await boot(config, { stopWithParent: true })
  try {
    await fill(services.db.ownerUrl, rows)
    const began = performance.now()
    await countDays(services)
    process.stderr.write(
      `all days counted in ${((performance.now() - began) / 1000).toFixed(1)} s, load ${loadavg()[0]?.toFixed(1)}\n`,
    )
    const app = await believingServer(services, insightRoutes(services))
    const headers = { authorization: `Bearer ${WORKSPACE}` }
    const owner = await openClient(services.db.ownerUrl, 'groundswell bench', LONG)
    const figures: Figure[] = []
    const measure = async (what: string, url: string, isRight: (body: string) => boolean) => {
      const taken: number[] = []
      const before = await cpuMs(folder)
      for (let count = 0; count < runs; count += 1) {
        const start = performance.now()
        const { statusCode, body } = await app.inject({ method: 'GET', url, headers })
        taken.push(performance.now() - start)
        if (statusCode !== 200 || !isRight(body)) throw new Error(`${url} answered ${statusCode}: ${body}`)
      }
      figures.push(figure(what, 'ms', taken, { atMost: TARGET_MS }))
      const shown = taken.map((ms) => ms.toFixed(0)).join(' ')
      const cpu = ((await cpuMs(folder)) - before) / runs
      process.stderr.write(`${what}: ${shown}, CPU ${cpu.toFixed(0)}, load ${loadavg()[0]?.toFixed(1)}\n`)
    }
    const report = (by: string, { attributes = '', total = rows } = {}) =>
      [
        `/api/insights/report?from=2024-12-31&to=2026-01-01&by=${by}&attribute=rating&attributes=${encodeURIComponent(attributes)}`,
        (body: string) => (JSON.parse(body) as { all: { total: number } }).all.total === total,
      ] as const
    const inEveryZone = async (work: (place: string) => Promise<void>) => {
      for (const zone of ZONES) {
        await inWorkspace(services.db, WORKSPACE, (tx) => writeTimeZone(tx, WORKSPACE, zone, false))
        await work(zone === 'UTC' ? '' : `, days in ${zone}`)
      }
    }
    await inEveryZone(async (place) => {
      for (const by of REPORT_PARTS) await measure(`report on a year by ${by}${place}`, ...report(by))
    })
    for (const part of ['by=none', 'by=kind&key=problem', 'by=plan&key=Pro'])
      await measure(
        `insights of a part, ${part}`,
        `/api/insights/report/part?from=2024-12-31&to=2026-01-01&${part}`,
        () => true,
      )
    for (const by of ['none', 'theme', 'kind', 'plan'])
      await measure(
        `what changed, by ${by}`,
        `/api/insights/report/changes?from=2024-12-31&to=2026-01-01&by=${by}`,
        () => true,
      )
    await inEveryZone(async (place) => {
      for (const by of REPORT_PARTS)
        await measure(
          `report on a year by ${by}, rating 1 or 2${place}`,
          ...report(by, { attributes: BAD_RATINGS, total: (rows * 2) / RATINGS }),
        )
    })
    await owner.query(`
      select set_config('groundswell.workspace', '${WORKSPACE}', false);
      update statement set feedback_kind = 'question'
      where workspace_id = '${WORKSPACE}' and issue_number % 50 = 1 and said_at >= '2025-11-02' and said_at < '2025-11-05'`)
    await inEveryZone(async (place) => {
      for (const by of REPORT_PARTS) await measure(`by ${by}, three days to be counted${place}`, ...report(by))
    })
    await owner.query('insert into report_day_due (workspace_id) values ($1)', [WORKSPACE])
    await inEveryZone(async (place) => {
      for (const by of COUNTED) await measure(`by ${by}, all days to be counted${place}`, ...report(by))
    })
    for (const url of [
      '/api/attributes',
      `/api/attributes/insights?attributes=${encodeURIComponent(BAD_RATINGS)}`,
      '/api/insights/get-all',
    ])
      await measure(url, url, () => true)
    await owner.end()
    await app.close()
    return [...figures, figure('mentions in the year', '', [rows])]
  } finally {
    await stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Mentions spread over a year, insights and three sources, and their counts, without the triggers that keep these up to date. */
async function fill(ownerUrl: string, rows: number): Promise<void> {
  const owner = await openClient(ownerUrl, 'groundswell bench', LONG)
  const insights = Math.ceil(rows / PER_INSIGHT)
  const at = `'2025-01-01'::timestamptz + (n::bigint * 7919 % ${rows}) * interval '365 days' / ${rows}`
  await owner.query(`
    set session_replication_role = replica;
    select set_config('groundswell.workspace', '${WORKSPACE}', false);
    insert into workspace (workspace_id, name, settings) values ('${WORKSPACE}', 'bench',
      '{"categories": [{"name": "Area", "description": "Which part of the product the message is about, in a word"}]}');
    insert into connection (workspace_id, id, connector)
      select '${WORKSPACE}', ('00000000-0000-4000-8000-00000000001' || n)::uuid, (array['slack', 'zendesk', 'file'])[n] from generate_series(1, 3) n;
    insert into feedback_item (workspace_id, connection_id, external_id, text, said_at, grouped_seq)
      select '${WORKSPACE}', ('00000000-0000-4000-8000-00000000001' || n % 3 + 1)::uuid, 'm' || n,
        repeat('The export of a large report stops halfway. ', 3), ${at}, 1
      from generate_series(1, ${rows}) n;
    insert into insight (workspace_id, issue_number, name, summary, mention_count)
      select '${WORKSPACE}', n, 'Insight ' || n, '', ${PER_INSIGHT} from generate_series(1, ${insights}) n;
    insert into statement (workspace_id, item_id, number, start_offset, end_offset, kind, issue_number, score, reason, said_at, feedback_kind, kind_by)
      select workspace_id, id, 0, 0, 40, 'joined', id % ${insights} + 1, 1, 'alike', said_at,
        (array['problem', 'request', 'question', 'praise'])[id % 4 + 1], 'model'
      from feedback_item;
    insert into insight_day (workspace_id, issue_number, day, mentions)
      select workspace_id, issue_number, (said_at at time zone 'UTC')::date, count(*) from statement group by 1, 2, 3;
    insert into insight_source_day (workspace_id, issue_number, connection_id, day, mentions)
      select s.workspace_id, s.issue_number, item.connection_id, (s.said_at at time zone 'UTC')::date, count(*)
      from statement s join feedback_item item on item.id = s.item_id group by 1, 2, 3, 4;
    insert into theme (workspace_id, id, name) select '${WORKSPACE}', n, 'Theme ' || n from generate_series(1, ${THEMES}) n;
    insert into insight_theme (workspace_id, issue_number, engine_theme)
      select '${WORKSPACE}', n, n % ${THEMES} + 1 from generate_series(1, ${insights}) n;
    insert into insight_tag (workspace_id, issue_number, tag, set_by, kind, value)
      select '${WORKSPACE}', n, 'Area', 'engine', 'category', to_jsonb('value ' || n % 9) from generate_series(1, ${insights}) n;
    insert into customer (workspace_id, id, key, name, name_key, plan, revenue, region)
      select '${WORKSPACE}', ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid, 'c' || n || '.example', 'c' || n, 'c' || n,
        (array['Free', 'Pro', 'Enterprise'])[n % 3 + 1], n * 10, (array['EMEA', 'AMER', 'APAC', null])[n % 4 + 1]
      from generate_series(1, ${CUSTOMERS}) n;
    insert into feedback_customer (workspace_id, item_id, customer_id)
      select '${WORKSPACE}', id, ('00000000-0000-4000-9000-' || lpad((id % ${CUSTOMERS} + 1)::text, 12, '0'))::uuid from feedback_item;
    insert into attribute_value (workspace_id, id, name, name_key, value, value_key)
      select '${WORKSPACE}', n, 'rating', 'rating', n, n from generate_series(1, ${RATINGS}) n;
    insert into attribute_value (workspace_id, id, name, name_key, value, value_key)
      select '${WORKSPACE}', ${RATINGS} + n, 'plan', 'plan', (array['Free', 'Pro', 'Enterprise'])[n], lower((array['Free', 'Pro', 'Enterprise'])[n])
      from generate_series(1, 3) n;
    insert into feedback_attribute (workspace_id, item_id, value_ids)
      select '${WORKSPACE}', id, array[id % ${RATINGS} + 1, ${RATINGS} + 1 + id % 3]::int[] from feedback_item;
    insert into attribute_total (workspace_id, value_id, messages)
      select workspace_id, value_id, count(*) from feedback_attribute, unnest(value_ids) value_id group by 1, 2;
    insert into insight_attribute (workspace_id, issue_number, value_id, mentions)
      select workspace_id, issue_number, value_id, count(*)
      from statement join feedback_attribute using (workspace_id, item_id), unnest(value_ids) value_id group by 1, 2, 3;
    insert into report_day_due (workspace_id) values ('${WORKSPACE}');
    set session_replication_role = origin;
    analyze`)
  await owner.end()
}

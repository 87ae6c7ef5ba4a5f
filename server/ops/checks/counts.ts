import { until } from '../../faults/until.ts'
import { medianOf, runCheckAlone } from '../check.ts'
import { Postgres } from '../postgres.ts'
import { Product } from '../product.ts'
import { temporaryFolder } from '../temporary-folder.ts'

// In a workspace with a million messages, one more into an insight of 100,000 mentions costs the database at most 10 ms.

const MENTIONS = 100_000
/** Mentions of the other insights. */
const OTHERS = 900_000
const OTHER_SUBJECTS = [
  'The login page shows a blank screen after the password is entered',
  'The invoice of last month has the wrong billing address',
  'The calendar does not show events of other time zones',
  'The search finds nothing when the word has an umlaut',
  'The mobile app logs me out every morning',
  'The dashboard takes minutes to load on Mondays',
  'Please add a dark theme to the editor',
  'Notifications arrive twice by mail',
  'The import of contacts skips rows with commas',
]
const SEEDED_AT_ONCE = 2_500
const RUNS = 7
const MAX_MS = 10
/** What one message into a small insight would cost; the rest of the transaction is the same. */
const PART = /mention_change|insight_person|insight_total|counted_author/

type Insight = { workspace: string; number: number; mentions: number; people: number }
type Cost = { all: number; counts: number }

await runCheckAlone('counts', ['postgresql'], async (report, debian) => {
  const folder = temporaryFolder(report)
  const server = await Postgres.create(report, debian, {
    folder: `${folder}/server`,
    port: 5432,
    settings: {
      shared_preload_libraries: 'pg_stat_statements',
      'pg_stat_statements.track': 'top',
      shared_buffers: '256MB',
    },
  })
  await server.query('create extension pg_stat_statements')
  const product = new Product(report, {
    env: { ...server.addresses, ENCODER: 'off' },
    query: (text, values) => server.query(text, undefined, values),
  })
  await product.migrate()
  await product.serve()
  await product.work()
  await product.furnish()
  const texts = (from: number, count: number) =>
    Array.from(
      { length: count },
      (_, at) => `The CSV export of large reports stops after the first thousand rows (${from + at})`,
    )
  await product.import('begin', [
    ...texts(0, 60),
    ...OTHER_SUBJECTS.flatMap((text) => Array.from({ length: 40 }, (_, at) => `${text} (${at})`)),
  ])
  const all = () =>
    server.query<Insight>(`
      select workspace_id as workspace, issue_number as number, mention_count as mentions, people_count as people
      from insight where issue_number is not null order by mention_count desc, issue_number`)
  const begun = await until('the first messages to be grouped', async () => {
    const insights = await all()
    const mentions = insights.reduce((sum, one) => sum + one.mentions, 0)
    return mentions >= 60 + 40 * OTHER_SUBJECTS.length ? insights : undefined
  })
  const [first, ...rest] = begun
  if (!first || rest.length === 0) throw new Error('the first messages are in one insight')
  await seed(server, first, MENTIONS)
  for (const other of rest) await seed(server, other, Math.ceil(OTHERS / rest.length))
  const largest = async () => (await all()).find(({ number }) => number === first.number)
  const total = MENTIONS + first.mentions
  report.say(`${total} mentions were stored in insight ${first.number}, ${OTHERS} in ${rest.length} others`)
  // As grouping would leave them: nothing waits to be counted. Of the measured insight, one more message adds up what was stored.
  await server.query('delete from mention_change where issue_number <> $1', undefined, [first.number])
  await product.import('settle', texts(1_000, 1))
  await until('what was stored to be counted', async () => (await largest())?.mentions === total + 1 || undefined)
  await server.query('vacuum analyze')
  const costs: Cost[] = []
  for (let run = 0; run < RUNS; run += 1) {
    await server.query('select pg_stat_statements_reset()')
    await product.import(`more-${run + 1}`, texts(1_001 + run, 1))
    await until('the message is counted', async () => {
      const one = await largest()
      return one && one.mentions === total + run + 2 ? one : undefined
    })
    costs.push(await costOf(server))
  }
  const after = await largest()
  report.require(after?.people === after?.mentions, `each person counts once (${after?.people} of ${after?.mentions})`)
  const median = (part: keyof Cost) => medianOf(costs.map((one) => one[part]))
  report.figure(
    `counts ${median('counts').toFixed(1)} ms, all of the step ${median('all').toFixed(1)} ms (median of ${RUNS})`,
  )
  report.require(median('all') <= MAX_MS, `one message costs the database at most ${MAX_MS} ms`)
})

/** Mentions by as many people over a year, as grouping would leave them. */
async function seed(server: Postgres, { workspace, number }: Insight, count: number): Promise<void> {
  for (let from = 1; from <= count; from += SEEDED_AT_ONCE) {
    await server.query(
      `with made as (
        insert into feedback_item (workspace_id, connection_id, external_id, text, author, said_at, grouped_seq)
        select $1::uuid, (select connection_id from feedback_item limit 1), 'seed-' || $2::int || '-' || n, 'The CSV export stops again (' || n || ')',
          'person ' || n, now() - (n % 365) * interval '1 day' - n * interval '1 second', 1
        from generate_series($3::int, $4::int) n returning id, said_at
      )
      insert into statement (workspace_id, item_id, number, start_offset, end_offset, kind, issue_number, score, reason, said_at)
      select $1::uuid, id, 0, 0, 26, 'joined', $2::int, 1, 'test', said_at from made`,
      undefined,
      [workspace, number, from, Math.min(count, from + SEEDED_AT_ONCE - 1)],
    )
    // Statements are planned for the size that tables have by then.
    if (from % (10 * SEEDED_AT_ONCE) === 1) await server.query('analyze')
  }
  await server.query('vacuum analyze')
}

/** Milliseconds that the statements of the step took, and those that count. */
async function costOf(server: Postgres): Promise<Cost> {
  const rows = await server.query<{ query: string; ms: number }>(
    `select query, total_exec_time as ms from pg_stat_statements
      where query ~ '(insight|statement|mention|engine_state|feedback_item|counted_author|update workspace)'
        and query !~ 'mention_count desc, issue_number|queue\\.'`,
  )
  const sum = (all: readonly { ms: number }[]) => all.reduce((total, one) => total + one.ms, 0)
  return { all: sum(rows), counts: sum(rows.filter(({ query }) => PART.test(query))) }
}

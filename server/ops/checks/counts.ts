import { until } from '../../faults/until.ts'
import { runCheckAlone } from '../check.ts'
import { Postgres } from '../postgres.ts'
import { Product } from '../product.ts'
import { temporaryFolder } from '../temporary-folder.ts'

// One message into an insight of 100,000 mentions costs the database at most 10 ms, in an insight that is grouped by the product itself.

const MENTIONS = 100_000
const SEEDED_AT_ONCE = 2_500
const RUNS = 7
const MAX_MS = 10
/** What one message into a small insight would cost; the rest of the transaction is the same. */
const PART = /mention_change|insight_person|insight_total|counted_author/

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
  await product.import('begin', texts(0, 40))
  const largest = () =>
    server.query<{ workspace: string; number: number; mentions: number; people: number }>(`
      select workspace_id as workspace, issue_number as number, mention_count as mentions, people_count as people
      from insight order by mention_count desc limit 1`)
  const begun = await until('the first messages are grouped', async () => {
    const [one] = await largest()
    return one && one.mentions >= 40 ? one : undefined
  })
  await seed(server, begun)
  const total = MENTIONS + begun.mentions
  report.say(`${total} mentions were stored in insight ${begun.number}`)
  const costs: Cost[] = []
  // The first one also adds up the stored ones.
  for (let run = -1; run < RUNS; run += 1) {
    await server.query('select pg_stat_statements_reset()')
    await product.import(`more-${run + 1}`, texts(1_001 + run, 1))
    await until('the message is counted', async () => {
      const [one] = await largest()
      return one && one.mentions === total + run + 2 ? one : undefined
    })
    if (run >= 0) costs.push(await costOf(server))
  }
  const [after] = await largest()
  report.require(after?.people === after?.mentions, `each person counts once (${after?.people} of ${after?.mentions})`)
  const median = (part: keyof Cost) =>
    costs.map((one) => one[part]).toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0
  report.figure(
    `counts ${median('counts').toFixed(1)} ms, all of the step ${median('all').toFixed(1)} ms (median of ${RUNS})`,
  )
  report.require(median('all') <= MAX_MS, `one message costs the database at most ${MAX_MS} ms`)
})

/** Mentions by as many people over a year, as grouping would leave them. */
async function seed(server: Postgres, { workspace, number }: { workspace: string; number: number }): Promise<void> {
  for (let from = 1; from <= MENTIONS; from += SEEDED_AT_ONCE) {
    await server.query(
      `with made as (
        insert into feedback_item (workspace_id, connection_id, external_id, text, author, said_at, grouped_seq)
        select $1::uuid, (select connection_id from feedback_item limit 1), 'seed-' || n, 'The CSV export stops again (' || n || ')',
          'person ' || n, now() - (n % 365) * interval '1 day' - n * interval '1 second', 1
        from generate_series($3::int, $4::int) n returning id, said_at
      )
      insert into statement (workspace_id, item_id, number, start_offset, end_offset, kind, issue_number, score, reason, said_at)
      select $1::uuid, id, 0, 0, 26, 'joined', $2::int, 1, 'test', said_at from made`,
      undefined,
      [workspace, number, from, from + SEEDED_AT_ONCE - 1],
    )
    // Statements are planned for the size that tables have by then.
    await server.query('analyze')
  }
  await server.query('vacuum analyze')
}

/** Milliseconds that the statements of the step took, and those that count. */
async function costOf(server: Postgres): Promise<Cost> {
  const rows = await server.query<{ query: string; ms: number }>(
    `select query, total_exec_time as ms from pg_stat_statements
      where query ~ '(insight|statement|mention|engine_state|feedback_item|counted_author)' and query !~ 'mention_count desc limit|queue\\.'`,
  )
  const sum = (all: readonly { ms: number }[]) => all.reduce((total, one) => total + one.ms, 0)
  return { all: sum(rows), counts: sum(rows.filter(({ query }) => PART.test(query))) }
}

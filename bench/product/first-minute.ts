import { readFileSync } from 'node:fs'
import path from 'node:path'
import { loadCompany } from '@groundswell/connectors/sandbox/index.ts'
import { getImport, startImport } from '@groundswell/contract/feedback.ts'
import { listEmerging } from '@groundswell/contract/insights/emerging.ts'
import { listInsights } from '@groundswell/contract/insights.ts'
import { perturbed } from '@groundswell/server/faults/perturb.ts'
import { seeded } from '@groundswell/server/faults/random.ts'
import { Stack } from '@groundswell/server/faults/stack.ts'
import { asFile } from '@groundswell/server/faults/topic-rows.ts'
import { until } from '@groundswell/server/faults/until.ts'
import { type Figure, figure } from '../engine/figures.ts'

const ROWS = 5_000
/** "The largest insights are on screen": so many of them. */
const FIRST_INSIGHTS = 20
const COMPANIES = ['hotel', 'devtool', 'fitness', 'shop']
const TARGET_FIRST_SECONDS = 60
const TARGET_READ_SECONDS = 240

/**
 * What a person sees after importing a file: how long until the largest insights are there, found by words, and until the sentence encoder has
 * read every message and the groups have settled. Wall-clock time; the machine's other load is not subtracted.
 */
export async function benchFirstMinute(): Promise<Figure[]> {
  const stack = await Stack.start(['all-in-one'])
  try {
    await stack.furnish()
    const began = performance.now()
    const seconds = () => (performance.now() - began) / 1_000
    const raw = asFile([...perturbed(messages(), ROWS, seeded(1))])
    const { id } = await stack.client.call(startImport, { query: { name: 'first.jsonl' }, raw })
    const count = async () => (await stack.client.call(listInsights)).length
    const first = await reached(stack, 'the first insights', async () => (await count()) >= FIRST_INSIGHTS)
    const firstSeconds = seconds()
    await reached(stack, 'all rows to be grouped', async () => {
      const { state, grouped } = await stack.client.call(getImport, { params: { id } })
      return state === 'done' && grouped === ROWS
    })
    const groupedSeconds = seconds()
    const byWords = await count()
    await reached(stack, 'all messages to be read', async () => (await unread(stack)) === 0)
    const readSeconds = seconds()
    await reached(stack, 'the groups to settle', async () => (await unsettled(stack)) === 0)
    const settledSeconds = seconds()
    process.stderr.write(`first minute: ${first} looks\n`)
    return [
      figure(
        `importing ${ROWS.toLocaleString('en-US')} rows: until ${FIRST_INSIGHTS} insights are listed`,
        's',
        [firstSeconds],
        {
          atMost: TARGET_FIRST_SECONDS,
        },
      ),
      figure('until all rows are grouped by words', 's', [groupedSeconds]),
      figure('until the encoder has read all of them', 's', [readSeconds], { atMost: TARGET_READ_SECONDS }),
      figure('until the groups have settled', 's', [settledSeconds], { atMost: TARGET_READ_SECONDS }),
      figure('insights by words', '', [byWords]),
      figure('insights in the end', '', [await count()]),
      figure('emerging insights in the end', '', [(await stack.client.call(listEmerging)).total]),
    ]
  } finally {
    await stack.stop()
  }
}

/** The demo company's messages and those of four made-up companies. */
function messages(): { text: string; author: string }[] {
  const others = COMPANIES.flatMap((name) =>
    readFileSync(path.join(import.meta.dirname, '..', 'engine', 'companies', `${name}.jsonl`), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => ({ text: (JSON.parse(line) as { text: string }).text, author: name })),
  )
  return [...loadCompany(), ...others]
}

async function reached(stack: Stack, what: string, isThere: () => Promise<boolean>): Promise<number> {
  let looks = 0
  await until(what, async () => (looks++, (await isThere()) || undefined), {
    deadlineMs: 1_200_000,
    everyMs: 250,
    explain: () => stack.said(),
  })
  return looks
}

/** Statements without a vector, and those whose vectors no step of grouping has read. */
async function unread(stack: Stack): Promise<number> {
  const [row] = await stack.query<{ count: number }>(
    `select ((select count(*) from statement s where kind <> 'noise' and not exists (
        select from statement_vector v where v.workspace_id = s.workspace_id and v.item_id = s.item_id and v.number = s.number))
      + (select count(*) from late_vector))::int as count`,
  )
  return row?.count ?? 0
}

async function unsettled(stack: Stack): Promise<number> {
  const [row] = await stack.query<{ count: number }>(
    `select count(*)::int as count from queue.job where name = 'group-workspace' and state < 'completed'`,
  )
  return row?.count ?? 0
}

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { loadCompany } from '@groundswell/connectors/sandbox/index.ts'
import { chooseReading } from '@groundswell/contract/feedback/reading.ts'
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
const TARGET_FIRST_SECONDS = 5
const TARGET_READ_SECONDS = 240

/**
 * What a person sees after importing a file: how long until the largest insights are there, found by words, also while a language model that is to read
 * and review everything holds its replies; and until the sentence encoder has read every message and the groups have settled. Wall-clock time; the machine's other load is not
 * subtracted.
 */
export async function benchFirstMinute({ runs }: { runs: number }): Promise<Figure[]> {
  const alone: number[] = []
  const beside: number[] = []
  for (let run = 1; run <= runs; run++) {
    beside.push(await besideModel(run))
    if (run < runs) alone.push(await onStack({}, async (stack) => (await importRows(stack, run)).firstSeconds))
  }
  return onStack({}, async (stack) => {
    const { id, seconds, firstSeconds } = await importRows(stack, runs)
    await reached(stack, 'all rows to be grouped', async () => {
      const { state, grouped } = await stack.client.call(getImport, { params: { id } })
      return state === 'done' && grouped === ROWS
    })
    const groupedSeconds = seconds()
    const byWords = await count(stack)
    await reached(stack, 'all messages to be read', async () => (await unread(stack)) === 0)
    const readSeconds = seconds()
    await reached(stack, 'the groups to settle', async () => (await unsettled(stack)) === 0)
    const settledSeconds = seconds()
    const imported = `importing ${ROWS.toLocaleString('en-US')} rows: until ${FIRST_INSIGHTS} insights are listed`
    const first = { atMost: TARGET_FIRST_SECONDS }
    return [
      figure(imported, 's', [...alone, firstSeconds], first),
      figure('the same with reading and reviews on, while the model holds its replies', 's', beside, first),
      figure('until all rows are grouped by words', 's', [groupedSeconds]),
      figure('until the encoder has read all of them', 's', [readSeconds], { atMost: TARGET_READ_SECONDS }),
      figure('until the groups have settled', 's', [settledSeconds], { atMost: TARGET_READ_SECONDS }),
      figure('insights by words', '', [byWords]),
      figure('insights in the end', '', [await count(stack)]),
      figure('emerging insights in the end', '', [(await stack.client.call(listEmerging)).total]),
    ]
  })
}

/** Runs on a new installation with an account. `env`: its settings. */
async function onStack<T>(env: Record<string, string>, measure: (stack: Stack) => Promise<T>): Promise<T> {
  const stack = await Stack.start(['all-in-one'], [], env)
  try {
    await stack.furnish()
    return await measure(stack)
  } finally {
    await stack.stop()
  }
}

type Imported = { id: string; seconds: () => number; firstSeconds: number }

/** Imports a file and waits for the first insights. `seconds`: since the file was sent. */
async function importRows(stack: Stack, seed: number): Promise<Imported> {
  const raw = asFile([...perturbed(messages(), ROWS, seeded(seed))])
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1_000
  const { id } = await stack.client.call(startImport, { query: { name: 'first.jsonl' }, raw })
  await reached(stack, 'the first insights', async () => (await count(stack)) >= FIRST_INSIGHTS)
  return { id, seconds, firstSeconds: seconds() }
}

/** The same where a language model reads and reviews everything: its first reply is held when the file arrives, and stays so. */
async function besideModel(seed: number): Promise<number> {
  let held = 0
  const model = createServer((request, response) => {
    if (request.method === 'POST') held++
    else response.end('{"data":[]}')
  })
  await new Promise<void>((done) => model.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`
  try {
    return await onStack({ LLM_URL: url, LLM_MODEL: 'held' }, async (stack) => {
      await stack.client.call(chooseReading, { body: { scope: 'all', reviews: true } })
      const raw = asFile([{ text: 'The first message of all', author: 'Ann' }])
      await stack.client.call(startImport, { query: { name: 'one.jsonl' }, raw })
      await reached(stack, 'a call of the model', async () => held > 0)
      return (await importRows(stack, seed)).firstSeconds
    })
  } finally {
    model.closeAllConnections()
    model.close()
  }
}

async function count(stack: Stack): Promise<number> {
  return (await stack.client.call(listInsights)).length
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

async function reached(stack: Stack, what: string, isThere: () => Promise<boolean>): Promise<void> {
  await until(what, async () => (await isThere()) || undefined, {
    deadlineMs: 1_200_000,
    everyMs: 250,
    explain: () => stack.said(),
  })
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

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
import { cpuSeconds } from './processes.ts'

const ROWS = 5_000
/** How many insights have to be listed for "the largest insights are on screen". */
const FIRST_INSIGHTS = 20
const COMPANIES = ['hotel', 'devtool', 'fitness', 'shop']
const TARGET_FIRST_SECONDS = 5
const TARGET_READ_SECONDS = 240

/**
 * How long after a file is sent the largest insights are listed, found by words; also while a language model that is to read and review everything holds its
 * replies. Wall-clock time, and the CPU of the whole installation until then, which says more on a busy machine.
 */
export async function benchFirstInsights({ runs }: { runs: number }): Promise<Figure[]> {
  const alone: First[] = []
  const beside: First[] = []
  for (let run = 1; run <= runs; run++) {
    alone.push(await onStack({}, async (stack) => (await importRows(stack, run)).first))
    beside.push(await besideModel(run))
  }
  const imported = `importing ${ROWS.toLocaleString('en-US')} rows: until ${FIRST_INSIGHTS} insights are listed`
  const held = 'the same with reading and reviews on, while the model holds its replies'
  const seconds = (firsts: readonly First[]) => firsts.map((first) => first.seconds)
  const cpu = (firsts: readonly First[]) => firsts.map((first) => first.cpu)
  return [
    figure(imported, 's', seconds(alone), { atMost: TARGET_FIRST_SECONDS }),
    figure('its CPU', 's', cpu(alone)),
    figure(held, 's', seconds(beside), { atMost: TARGET_FIRST_SECONDS }),
    figure('its CPU', 's', cpu(beside)),
  ]
}

/**
 * How long after a file is sent all of it is grouped, and the sentence encoder has read every message and the groups have settled. Wall-clock time; the machine's other
 * load is not subtracted.
 */
export async function benchFirstMinute(): Promise<Figure[]> {
  return onStack({}, async (stack) => {
    const { id, since } = await importRows(stack, 1)
    await reached(stack, 'all rows to be grouped', async () => {
      const { state, grouped } = await stack.client.call(getImport, { params: { id } })
      return state === 'done' && grouped === ROWS
    })
    const groupedSeconds = since()
    const byWords = await count(stack)
    await reached(stack, 'all messages to be read', async () => (await unread(stack)) === 0)
    const readSeconds = since()
    await reached(stack, 'the groups to settle', async () => (await unsettled(stack)) === 0)
    return [
      figure('until all rows are grouped by words', 's', [groupedSeconds]),
      figure('until the encoder has read all of them', 's', [readSeconds], { atMost: TARGET_READ_SECONDS }),
      figure('until the groups have settled', 's', [since()], { atMost: TARGET_READ_SECONDS }),
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

/** When the first insights were listed, and what that took: seconds. */
type First = { seconds: number; cpu: number }

/** Imports a file and waits for the first insights. `since`: seconds since the file was sent. */
async function importRows(stack: Stack, seed: number): Promise<{ id: string; since: () => number; first: First }> {
  const raw = asFile([...perturbed(messages(), ROWS, seeded(seed))])
  const pid = stack.children('all-in-one')[0]?.pid ?? 0
  const began = { at: performance.now(), cpu: cpuSeconds(pid) }
  const since = () => (performance.now() - began.at) / 1_000
  const { id } = await stack.client.call(startImport, { query: { name: 'first.jsonl' }, raw })
  await reached(stack, 'the first insights', async () => (await count(stack)) >= FIRST_INSIGHTS)
  return { id, since, first: { seconds: since(), cpu: cpuSeconds(pid) - began.cpu } }
}

/** The same where a language model reads and reviews everything: its first reply is held when the file arrives, and stays so. */
async function besideModel(seed: number): Promise<First> {
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
      return (await importRows(stack, seed)).first
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

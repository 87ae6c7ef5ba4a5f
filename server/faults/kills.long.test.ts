import { setTimeout as pause } from 'node:timers/promises'
import { getImport, startImport } from '@groundswell/contract/feedback.ts'
import { describe, expect, it } from 'vitest'
import { extent, isSample, seed } from './extent.ts'
import { between, pick, type Random, seeded, shuffled } from './random.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { faultsOf, isSettled, lastingFaults, phaseOf, progressOf, SETTLE_EVERY_MS } from './soundness.ts'
import { type Door, Stack } from './stack.ts'
import { asFile, type TopicRow, topicRows } from './topic-rows.ts'
import { until } from './until.ts'

type Victim = Door | 'database' | 'backend'
/** `encoder`: one plan is enough for vectors that arrive late: they cost much of the two cores. */
type Plan = { name: string; doors: Door[]; encoder: 'on' | 'off'; victims: Partial<Record<Victim, number>> }

/** Thirty kills in all. Each installation goes through its own kills one after the other, each during a new import. */
const wholePlans: Plan[] = [
  { name: 'one process', doors: ['all-in-one'], encoder: 'off', victims: { 'all-in-one': 5, database: 3, backend: 3 } },
  {
    name: 'api and worker',
    doors: ['serve', 'worker'],
    encoder: 'off',
    victims: { worker: 4, serve: 3, database: 2, backend: 1 },
  },
  {
    name: 'api and two workers',
    doors: ['serve', 'worker', 'worker'],
    encoder: 'on',
    victims: { worker: 4, serve: 2, database: 2, backend: 1 },
  },
]

/**
 * Two imports run undisturbed, the second to measure how long one takes; kills are spread over nearly all of that time. In the sample only the
 * first: it takes longer than the next ones, whose moments are earlier in return.
 */
const SHARE = extent({ whole: 0.9, sample: 0.5 })
const FILE_SHARE = extent({ whole: 1, sample: 0.25 })
/** On a busy machine the encoder, at the lowest priority, takes minutes: most kills would then meet an idle installation. */
const MAX_SPAN_MS = 20_000
const DEADLINE_MS = 900_000

/** One kill of each kind. The seed chooses one or two workers, and the installation whose database and backend are killed. */
function samplePlans(): Plan[] {
  const random = seeded(seed)
  const [together, ...apart] = wholePlans as [Plan, ...Plan[]]
  const hasDatabase = between(random, 0, 1) === 0
  const database = { database: 1, backend: 1 }
  return [
    { ...together, victims: { 'all-in-one': 1, ...(hasDatabase ? database : {}) } },
    { ...pick(random, apart), encoder: 'off', victims: { worker: 1, serve: 1, ...(hasDatabase ? {} : database) } },
  ]
}

const plans = isSample ? samplePlans() : wholePlans

describe.concurrent(`kill -9 at random moments (SEED=${seed})`, () => {
  it.for(plans.map((plan, index) => ({ ...plan, index })))('$name', async (plan, { task }) => {
    const random = seeded(seed + plan.index)
    const receiver = await startReceiver(() => between(random, 5, 60))
    const stack = await Stack.start(plan.doors, [], { ENCODER: plan.encoder })
    try {
      await stack.furnish(receiver.url)
      const survived = await liveThrough(stack, receiver, random, plan)
      task.meta.kills = survived
      expect(survived).toBe(Object.values(plan.victims).reduce((sum, count) => sum + count, 0))
    } finally {
      await stack.stop()
      await receiver.stop()
    }
  })
})

/** Goes through all rounds of a plan and returns their number. Throws with everything that is wrong after one. */
async function liveThrough(stack: Stack, receiver: Receiver, random: Random, plan: Plan): Promise<number> {
  const rows: TopicRow[] = []
  const importNext = async (name: string): Promise<void> => {
    const more = topicRows(random, name, FILE_SHARE)
    await importRows(stack, name, more)
    rows.push(...more)
  }
  /** An import that goes on, and what the installation does at that moment of it; in the sample once the import has begun. */
  const importUntil = async (name: string, moment: number): Promise<[Promise<void>, string]> => {
    let isRead = false
    const imported = importNext(name).finally(() => {
      isRead = true
    })
    imported.catch(() => undefined)
    await pause(moment)
    const phase = await until('the import to begin', async () => {
      const now = phaseOf(await progressOf(stack))
      return now !== 'idle' || isRead || !isSample ? now : undefined
    })
    return [imported, phase]
  }
  const settle = () =>
    until('import, grouping and pushes to be done', async () => isSettled(await progressOf(stack)) || undefined, {
      deadlineMs: DEADLINE_MS,
      everyMs: SETTLE_EVERY_MS,
      explain: async () => `${JSON.stringify(await progressOf(stack))}\n${stack.said()}`,
    })
  const check = async (what: string) => {
    const texts = rows.map((row) => row.text)
    const faults = await lastingFaults(() => faultsOf(stack, texts, receiver.arrivals))
    for (const child of stack.fallen()) faults.push(`a process ended on its own: ${child.tail}`)
    if (faults.length > 0) throw new Error(`${what}:\n${faults.join('\n')}\n\n${stack.said()}`)
  }

  let began = performance.now()
  await importNext('first')
  await settle()
  if (!isSample) {
    began = performance.now()
    await importNext('calm')
    await settle()
  }
  const span = Math.min((performance.now() - began) * SHARE, MAX_SPAN_MS)
  await check('before the first kill')

  const victims = shuffled(
    random,
    Object.entries(plan.victims).flatMap(([victim, count]) => Array.from({ length: count }, () => victim as Victim)),
  )
  for (const [round, victim] of victims.entries()) {
    let moment = random() * span
    let [imported, phase] = await importUntil(`r${round + 1}`, moment)
    // In the sample, no kill meets an idle installation.
    for (let again = 1; isSample && phase === 'idle'; again += 1) {
      await imported
      moment /= 2
      ;[imported, phase] = await importUntil(`r${round + 1}-${again}`, moment)
    }
    const what = `${plan.name}, round ${round + 1}: ${victim} after ${Math.round(moment)} ms`
    const killed = performance.now()
    await strike(stack, victim, random)
    await imported
    await settle()
    const seconds = Math.round((performance.now() - killed) / 1000)
    process.stdout.write(`${what}, while ${phase}: done ${seconds} s later\n`)
    await check(what)
  }
  return victims.length
}

/** Kills; a killed process is replaced, as an operator's supervisor would do. The database is not restarted. */
async function strike(stack: Stack, victim: Victim, random: Random): Promise<void> {
  if (victim === 'database') {
    const pid = await until('a database to kill', async () => (await stack.postmaster()) ?? undefined)
    process.kill(pid, 'SIGKILL')
  } else if (victim === 'backend') {
    // One that was listed may have ended since: then another one.
    await until('a backend to kill', async () => {
      const backends = await stack.query<{ pid: number }>(
        `select pid from pg_stat_activity where application_name like 'groundswell%' and pid <> pg_backend_pid()`,
      )
      return process.kill(pick(random, backends).pid, 'SIGKILL')
    })
  } else {
    await stack.kill(pick(random, stack.children(victim)))
    await stack.open(victim)
  }
}

/** Sends a file until the server has acknowledged it, and waits until it reports that the file was read. */
async function importRows(stack: Stack, name: string, rows: readonly TopicRow[]): Promise<void> {
  const raw = asFile(rows)
  const { id } = await until('the file to be taken', () =>
    stack.client.call(startImport, { query: { name: `${name}.jsonl` }, raw }),
  )
  await until(
    'the import to end',
    async () => {
      const found = await stack.client.call(getImport, { params: { id } })
      return found.state === 'done' || found.state === 'failed' ? found : undefined
    },
    { deadlineMs: DEADLINE_MS, explain: () => stack.said() },
  )
}

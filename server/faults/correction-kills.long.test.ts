import { setTimeout as pause } from 'node:timers/promises'
import { startImport } from '@groundswell/contract/feedback.ts'
import { describe, expect, it } from 'vitest'
import { correctionFaults, correctionHash, unsettled } from './corrected-soundness.ts'
import { Corrector } from './corrector.ts'
import { chosen, extent, isSample, seed } from './extent.ts'
import { between, pick, type Random, seeded, shuffled } from './random.ts'
import { lastingFaults, SETTLE_EVERY_MS } from './soundness.ts'
import { type Door, Stack } from './stack.ts'
import { asFile, topicRows } from './topic-rows.ts'
import { until } from './until.ts'

type Victim = Door | 'database'
/** `encoder`: one plan is enough for vectors that arrive late: they cost much of the two cores. `calm`: corrections that are killed and undone while nothing else happens, two kills each. `busy`: kills while feedback is grouped. */
type Plan = { name: string; doors: Door[]; encoder: 'on' | 'off'; calm: number; busy: Partial<Record<Victim, number>> }

/** 24 kills in all; in the sample three, of one installation. */
const plans: Plan[] = [
  { name: 'one process', doors: ['all-in-one'], encoder: 'on', calm: 3, busy: { 'all-in-one': 3, database: 1 } },
  {
    name: 'api and worker',
    doors: ['serve', 'worker'],
    encoder: 'off',
    calm: 3,
    busy: { worker: 5, serve: 2, database: 1 },
  },
]
const CALM_KINDS = ['merge', 'split', 'move', 'add', 'create', 'reject', 'decline', 'lock'] as const

const DEADLINE_MS = 900_000
const FILE_SHARE = extent({ whole: 1, sample: 0.4 })
/** A correction in a quiet workspace is carried out within about this time. */
const CALM_MS = 250
const BUSY_MS = 4_000
const CHECK_SECONDS = 15
/** At least this many corrections are acknowledged while feedback is grouped, in each round. */
const MIN_COUNT = extent({ whole: 10, sample: 25 })

describe.concurrent(`kill -9 while people correct (SEED=${seed})`, () => {
  it.for(chosen(plans.map((plan, index) => ({ ...plan, index }))))('$name', async (plan, { task }) => {
    const random = seeded(seed + plan.index)
    const stack = await Stack.start(plan.doors, [], { ENCODER: plan.encoder })
    try {
      await stack.furnish()
      const people = new Corrector(stack.client, random)
      const all = Object.entries(plan.busy).flatMap(([victim, count]) =>
        Array.from({ length: count }, () => victim as Victim),
      )
      const victims = isSample ? [pick(random, all)] : shuffled(random, all)
      const calm = isSample ? 1 : plan.calm
      await importRows(stack, random, 'first')
      await settle(stack)
      for (let round = 1; round <= calm; round += 1) await beCalm(stack, people, random, `${plan.name}, ${round}`)
      for (const [round, victim] of victims.entries()) {
        await beBusy(stack, people, random, victim, `${plan.name}, busy ${round + 1}`)
      }
      task.meta.kills = 2 * calm + victims.length
      // Some were undone, and some refused because two concerned the same thing. The rest was applied.
      const [applied] = await stack.query<{ count: number }>(
        `select count(*)::int as count from correction where state = 'applied'`,
      )
      expect(applied?.count).toBeGreaterThan(people.acknowledged.length / 8)
    } finally {
      await stack.stop()
    }
  })
})

/** One correction, killed; then undone, killed again: everything is exactly as it was. */
async function beCalm(stack: Stack, people: Corrector, random: Random, name: string): Promise<void> {
  const [row] = await stack.query<{ last: number }>('select coalesce(max(issue_number), 0)::int as last from insight')
  const last = row?.last ?? 0
  const before = await correctionHash(stack, last)
  const kind = pick(random, CALM_KINDS)
  const id = await until('a correction to be taken', async () => (await people.act(kind)) ?? undefined)
  await strike(stack, calmVictim(stack), random() * CALM_MS)
  await settle(stack)
  await check(stack, people, `${name}: a ${kind} was killed`)
  expect(await correctionHash(stack, last), `${name}: a ${kind} is carried out`).not.toBe(before)
  await people.undo(id)
  await strike(stack, calmVictim(stack), random() * CALM_MS)
  await settle(stack)
  await check(stack, people, `${name}: undo of a ${kind} was killed`)
  expect(await correctionHash(stack, last), `${name}: a ${kind} is taken back`).toBe(before)
  process.stdout.write(`${name}: a ${kind}, killed, taken back, killed: as it was\n`)
}

/** Many corrections in a row while an import is read and grouped; one kill at a random moment; they continue after it. */
async function beBusy(stack: Stack, people: Corrector, random: Random, victim: Victim, name: string): Promise<void> {
  const moment = random() * BUSY_MS
  const from = people.acknowledged.length
  let over = false
  const talk = async () => {
    while (!over) {
      await people.act()
      await pause(between(random, 0, 30))
    }
  }
  await importRows(stack, random, name)
  const talking = talk()
  await strike(stack, victim, moment)
  await until('corrections to be taken, before the kill and after it', () =>
    people.acknowledged.length >= from + MIN_COUNT ? true : undefined,
  )
  over = true
  await talking
  // Without a database, the server can only report that something went wrong.
  if (victim === 'database') people.faults.length = 0
  await settle(stack)
  await check(stack, people, `${name}: ${victim} after ${Math.round(moment)} ms`)
  const said = people.acknowledged.length - from
  process.stdout.write(
    `${name}: ${victim} after ${Math.round(moment)} ms, ${said} corrections acknowledged: they hold\n`,
  )
}

function calmVictim(stack: Stack): Door {
  return stack.children('worker').length > 0 ? 'worker' : 'all-in-one'
}

/** Kills after this many milliseconds; a killed process is replaced. */
async function strike(stack: Stack, victim: Victim, afterMs: number): Promise<void> {
  await pause(afterMs)
  if (victim === 'database') {
    const pid = await until('a database to kill', async () => (await stack.postmaster()) ?? undefined)
    process.kill(pid, 'SIGKILL')
    return
  }
  const [child] = stack.children(victim)
  if (!child) throw new Error(`there is no ${victim}`)
  await stack.kill(child)
  await stack.open(victim)
}

async function importRows(stack: Stack, random: Random, name: string): Promise<void> {
  const raw = asFile(topicRows(random, name.replaceAll(/\W+/g, '-'), FILE_SHARE))
  await stack.client.call(startImport, { query: { name: 'rows.jsonl' }, raw })
}

/** Waits until nothing is left to do, except for what is postponed for longer than a check takes. */
async function settle(stack: Stack): Promise<void> {
  await until(
    'everything to be carried out',
    async () => ((await unsettled(stack, CHECK_SECONDS)) === 0 ? true : undefined),
    { deadlineMs: DEADLINE_MS, everyMs: SETTLE_EVERY_MS, explain: () => stack.said() },
  )
}

async function check(stack: Stack, people: Corrector, what: string): Promise<void> {
  const faults = [...people.faults, ...(await lastingFaults(() => correctionFaults(stack, people.acknowledged)))]
  for (const child of stack.fallen()) faults.push(`a process ended on its own: ${child.tail}`)
  if (faults.length > 0) throw new Error(`${what}:\n${faults.join('\n')}\n\n${stack.said()}`)
}

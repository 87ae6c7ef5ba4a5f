import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { readLastItem } from '../../insights/index.ts'
import { type ReadingChoice, writeChoice } from '../reading-choice-store.ts'
import { requestScan } from '../scan-store.ts'
import type { ModelTask } from '../task.ts'
import { ScriptedModel, type World } from '../testing.ts'
import { Company } from './joins/testing.ts'

type Furnished = { world: World; model: ScriptedModel; company: Company }

/** A workspace with grouped messages, a model, and a task that an owner switches on. */
export class TaskWorld {
  readonly world: World
  readonly model: ScriptedModel
  readonly company: Company
  readonly #task: ModelTask

  protected constructor(task: ModelTask, { world, model, company }: Furnished) {
    this.#task = task
    this.world = world
    this.model = model
    this.company = company
  }

  /** Stores and groups the messages, batch by batch. */
  protected static async furnish(
    world: World,
    script: ScriptedModel['script'],
    batches: readonly Parameters<Company['store']>[0][],
  ): Promise<Furnished> {
    await world.reset()
    const model = await ScriptedModel.start()
    model.script = script
    const company = new Company(world, await world.workspace())
    for (const messages of batches) {
      await company.store(messages)
      await company.group()
    }
    return { world, model, company }
  }

  /** What an owner chooses in the settings. */
  choose({
    scope = 'new',
    paused = false,
    reviews = false,
  }: Partial<Pick<ReadingChoice, 'scope' | 'paused' | 'reviews'>> = {}): Promise<void> {
    const { workspaceId } = this.company
    return this.world.inside(workspaceId, async (tx) => {
      const last = await readLastItem(tx, workspaceId)
      await writeChoice(tx, workspaceId, { scope, paused, reviews, last, by: 'Ann', now: this.world.now })
      await requestScan(tx, workspaceId, 'readings', this.world.now)
    })
  }

  due(): Promise<boolean> {
    const { workspaceId } = this.company
    return this.world.inside(workspaceId, (tx) =>
      this.#task.isDue(tx, workspaceId, this.world.settings(this.model), this.world.now),
    )
  }

  /** Runs the task, as its job does, until there is nothing more to do now. Returns how many calls that were. */
  async run({ tokensPerDay = 10_000_000, name = 'small' } = {}): Promise<number> {
    const settings = this.world.settings(this.model, { tokensPerDay, model: name })
    let calls = 0
    for (;;) {
      const outcome = await this.world.run(this.company.workspaceId, settings, { task: this.#task })
      calls += outcome.calls
      if (!outcome.more) return calls
    }
  }

  /** Runs the task, whose replies arrive while a step of grouping is stored that makes this change. */
  async runDuringStep(change: (tx: Tx) => Promise<unknown>): Promise<void> {
    const { workspaceId } = this.company
    const begun = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    const step = this.world.inside(workspaceId, async (tx) => {
      await sql`select from engine_state where workspace_id = ${workspaceId} for update`.execute(tx)
      await change(tx)
      begun.resolve()
      await arrived.promise
    })
    await begun.promise
    let ended = false
    const run = this.run().finally(() => {
      ended = true
    })
    while (!ended && !(await this.#isWaiting())) await pause(20)
    arrived.resolve()
    await step
    await run
  }

  /** Whether a transaction waits for a row that another one has locked. */
  async #isWaiting(): Promise<boolean> {
    const { rows } = await this.world.inside(this.company.workspaceId, (tx) =>
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(tx),
    )
    return rows.length > 0
  }
}

import type { LlmSettings } from '../../platform/config/config.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { ModelFailure } from './failure.ts'
import { isLookDue, restLook, storeLook, type Task } from './look-store.ts'
import { endsRun } from './run.ts'

const BUDGET_SPENT_MINUTES = 60

/** What a workspace is looked through for, and by which prompt. */
export type Looking = { task: Task; prompt: string }

/** True when a workspace is to be looked through: see `isLookDue`. */
export function isDue(
  tx: Tx,
  workspaceId: string,
  { task, prompt }: Looking,
  settings: LlmSettings,
  now: Date,
): Promise<boolean> {
  return isLookDue(tx, workspaceId, task, madeWith(settings, prompt), now)
}

/** What the model and the prompt are called where a look is noted. */
function madeWith({ model }: LlmSettings, prompt: string): string {
  return `${model} ${prompt}`
}

/** One look of the model through a workspace, and the ways in which it ends. */
export class Look {
  readonly #services: Services
  readonly #workspaceId: string
  readonly #task: Task
  readonly #madeWith: string

  constructor(services: Services, workspaceId: string, { task, prompt }: Looking, settings: LlmSettings) {
    this.#services = services
    this.#workspaceId = workspaceId
    this.#task = task
    this.#madeWith = madeWith(settings, prompt)
  }

  /** All was seen, as the groups are at `head`. */
  finish(head: number): Promise<void> {
    return this.#inside((tx) => storeLook(tx, this.#workspaceId, this.#task, { head, madeWith: this.#madeWith }))
  }

  /** The model was of no use: longer each time. */
  rest(): Promise<void> {
    return this.#rest()
  }

  budgetSpent(): Promise<void> {
    return this.#rest(BUDGET_SPENT_MINUTES)
  }

  /** Settles what a call threw. Throws what the queue is to try again, and what is no failure of the model. */
  async fail(error: unknown, lastAttempt: boolean): Promise<void> {
    if (!(error instanceof ModelFailure)) throw error
    if (error.kind === 'rejected') await this.rest()
    await endsRun(this.#services, error, { rejections: 1, lastAttempt })
  }

  #rest(minutes?: number): Promise<void> {
    const now = this.#services.now()
    return this.#inside((tx) => restLook(tx, this.#workspaceId, this.#task, { madeWith: this.#madeWith, now, minutes }))
  }

  #inside<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return inWorkspace(this.#services.db, this.#workspaceId, work)
  }
}

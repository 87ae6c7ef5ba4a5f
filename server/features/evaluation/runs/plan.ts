import { ContractError } from '@groundswell/contract/errors.ts'
import { MAX_RUN_MESSAGES, type RunPlan } from '@groundswell/contract/evaluation/runs.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import type { Generator } from '../generators/generator.ts'
import { type Window, windowsOf } from '../generators/window.ts'
import { offeredGenerators } from './offered.ts'
import { readMessagesBetween } from './run-store.ts'

const DAY_MS = 24 * 3_600_000
/** Of one run. */
const MAX_WINDOWS = 500

export type PlannedRun = { generators: Generator[]; windows: Window[] }

/** The generators and windows of a plan, on the feedback as it is now. Throws `invalid_input` for one that cannot be run. */
export async function planRun(
  services: Pick<Services, 'db' | 'config'>,
  workspaceId: string,
  { generators: ids, from: first, to: last, days }: RunPlan,
): Promise<PlannedRun> {
  const offered = new Map(offeredGenerators(services.config).map(({ id, generator }) => [id, generator]))
  const generators = [...new Set(ids)].map((id) => {
    const generator = offered.get(id)
    if (!generator) throw refused('generators', `there is no generator “${id}” here`)
    return generator
  })
  const from = new Date(`${first}T00:00:00Z`)
  const to = new Date(Date.parse(`${last}T00:00:00Z`) + DAY_MS)
  if (to <= from) throw refused('to', 'must not be before the first day')
  const messages = await inWorkspace(services.db, workspaceId, (tx) =>
    readMessagesBetween(tx, workspaceId, { from, to, limit: MAX_RUN_MESSAGES + 1 }),
  )
  if (messages.length > MAX_RUN_MESSAGES)
    throw refused('from', `there are more than ${MAX_RUN_MESSAGES.toLocaleString('en')} messages: choose fewer days`)
  if (messages.length === 0) throw refused('from', 'there are no messages on these days')
  const range = { datetime_from: from.toISOString(), datetime_to: to.toISOString(), min_messages: 1 }
  const windows = windowsOf(messages, { windows: { ...range, ...(days === null ? {} : { days }) } })
  if (windows.length > MAX_WINDOWS) throw refused('days', `makes ${windows.length} windows; at most ${MAX_WINDOWS}`)
  return { generators, windows }
}

function refused(field: keyof RunPlan, why: string): ContractError {
  return new ContractError('invalid_input', `This run cannot be started: ${why}`, { [field]: why })
}

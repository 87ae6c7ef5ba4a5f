import { ContractError } from '@groundswell/contract/errors.ts'
import {
  MAX_MODEL_MESSAGES,
  MAX_PROMPT_MESSAGES,
  MAX_RUN_MESSAGES,
  type ModelGenerator,
  type RunPlan,
} from '@groundswell/contract/evaluation/runs.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { Generator } from '../generators/generator.ts'
import { type Window, windowsOf } from '../generators/window.ts'
import { offeredGenerators } from './offered.ts'
import { readMessagesBetween } from './run-store.ts'

const DAY_MS = 24 * 3_600_000
/** The most windows of one run. */
const MAX_WINDOWS = 500

/** What a run answers: every window with every generator. */
export type PlannedRun = { generators: Generator[]; windows: Window[] }

/** The generators and windows of a plan, on the feedback as it is now. Throws `invalid_input` for one that cannot be run. */
export async function planRun(
  services: Pick<Services, 'db' | 'config'>,
  workspaceId: string,
  { generators: ids, model_generators: asked, from: first, to: last, days, sources, source_ids: chosen }: RunPlan,
): Promise<PlannedRun> {
  const generators = [...offered(services, ids), ...configured(services, asked)]
  if (generators.length === 0) throw refused('generators', 'must not be empty')
  const from = new Date(`${first}T00:00:00Z`)
  const to = new Date(Date.parse(`${last}T00:00:00Z`) + DAY_MS)
  if (to <= from) throw refused('to', 'must not be before the first day')
  const messages = await inWorkspace(services.db, workspaceId, (tx) =>
    readMessagesBetween(tx, workspaceId, { from, to, limit: MAX_RUN_MESSAGES + 1 }),
  )
  if (messages.length > MAX_RUN_MESSAGES)
    throw refused('from', `there are more than ${MAX_RUN_MESSAGES.toLocaleString('en')} messages: choose fewer days`)
  if (messages.length === 0) throw refused('from', 'there are no messages on these days')
  const windows = windowsOf(messages, {
    windows: {
      datetime_from: from.toISOString(),
      datetime_to: to.toISOString(),
      min_messages: 1,
      together: sources === 'together',
      ...(days === null ? {} : { days }),
      ...(chosen === null || chosen.length === 0 ? {} : { source_ids: chosen }),
    },
  })
  if (windows.length === 0) throw refused('source_ids', 'there are no messages of these sources')
  if (windows.length > MAX_WINDOWS) throw refused('days', `makes ${windows.length} windows; at most ${MAX_WINDOWS}`)
  if (asked.length > 0) {
    const count = windows.reduce((sum, window) => sum + window.messages.length, 0)
    if (count > MAX_MODEL_MESSAGES)
      throw refused(
        'from',
        `a language model reads at most ${MAX_MODEL_MESSAGES.toLocaleString('en')} messages of a run`,
      )
    const isPrompted = asked.some(({ method }) => method === 'single-prompt')
    if (isPrompted && windows.some((window) => window.messages.length > MAX_PROMPT_MESSAGES))
      throw refused('days', `a window has more than ${MAX_PROMPT_MESSAGES} messages, too many for one prompt`)
  }
  return { generators, windows }
}

function offered(services: Pick<Services, 'config'>, ids: readonly string[]): Generator[] {
  const known = new Map(offeredGenerators(services.config).map(({ id, generator }) => [id, generator]))
  return [...new Set(ids)].map((id) => {
    const generator = known.get(id)
    if (!generator) throw refused('generators', `there is no generator “${id}” here`)
    return generator
  })
}

function configured({ config }: Pick<Services, 'config'>, asked: readonly ModelGenerator[]): Generator[] {
  if (asked.length > 0 && !config.llm) throw refused('model_generators', 'the server has no language model')
  const made = asked.map((one) => {
    const parsed = Generator.safeParse(one)
    if (!parsed.success) throw refused('model_generators', parsed.error.issues[0]?.message ?? 'cannot be used')
    return parsed.data
  })
  return [...new Map(made.map((one) => [JSON.stringify(one), one])).values()]
}

/** The error of a plan that cannot be run: `invalid_input` with the field and the reason. */
export function refused(field: keyof RunPlan, why: string): ContractError {
  return new ContractError('invalid_input', `This run cannot be started: ${why}`, { [field]: why })
}

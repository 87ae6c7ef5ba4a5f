import type { LlmSettings } from '../../platform/config/config.ts'
import { dayOf } from '../../platform/day.ts'
import { inWorkspace, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import type { Finding } from '../checkup/index.ts'
import { readTrouble, readUse, readUsed, readWorkspaceIds, type Use } from './store.ts'

const DAY_MS = 86_400_000
const DAYS = 30
const REACH_MS = 10_000

/** What there is to say about the language model: whether one is set up, answers, and what it uses. Costs no tokens. */
export async function checkModel(services: Services): Promise<Finding[]> {
  const settings = services.config.llm
  if (!settings) return [{ state: 'ok', what: 'No language model is set up: names and groups are the engine’s own.' }]
  return [await reach(settings), ...(await troubles(services)), ...(await use(services, settings))]
}

async function reach(settings: LlmSettings): Promise<Finding> {
  const { provider, model, url, key } = settings
  const { openModel, ProviderMissing } = await import('./provider.ts')
  try {
    await openModel(settings)
  } catch (error) {
    if (!(error instanceof ProviderMissing)) throw error
    return { state: 'problem', what: error.message }
  }
  if (provider !== 'openai-compatible' || url === undefined) {
    return {
      state: 'ok',
      what: `The language model is ${model} by ${provider}. Whether it answers shows when it is asked.`,
    }
  }
  try {
    const response = await fetch(`${url}/models`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(REACH_MS),
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    })
    await response.body?.cancel()
    if (response.status === 401 || response.status === 403) {
      return {
        state: 'problem',
        what: `The language model refuses the key (${response.status}).`,
        advice: 'Set LLM_KEY.',
      }
    }
    return { state: 'ok', what: `The language model is ${model} at ${url}, which answers.` }
  } catch {
    return {
      state: 'problem',
      what: `The language model cannot be reached at ${url}.`,
      advice: 'Start it, or mend LLM_URL. Until then everything stays as the engine makes it.',
    }
  }
}

async function troubles(services: Services): Promise<Finding[]> {
  const trouble = await withoutWorkspace(services.db, readTrouble)
  if (!trouble) return []
  const { what, since, pausedUntil } = trouble
  const paused = pausedUntil && pausedUntil > services.now()
  return [
    {
      state: 'problem',
      what: `The language model cannot be used since ${since.toISOString()}: ${what}.`,
      advice: paused
        ? `It is asked again after ${pausedUntil.toISOString()}.`
        : 'It is asked again within the next minutes.',
    },
  ]
}

async function use(services: Services, { tokensPerDay }: LlmSettings): Promise<Finding[]> {
  const now = services.now()
  const since = new Date(now.getTime() - (DAYS - 1) * DAY_MS)
  const today = await withoutWorkspace(services.db, (tx) => readUsed(tx, dayOf(now)))
  const total: Use = { tokens: 0, messages: 0, named: 0, refused: 0, judged: 0, joined: 0, split: 0 }
  for (const id of await withoutWorkspace(services.db, readWorkspaceIds)) {
    const one = await inWorkspace(services.db, id, (tx) => readUse(tx, id, since))
    for (const key of Object.keys(total) as (keyof Use)[]) total[key] += one[key]
  }
  const perThousand = total.messages > 0 ? Math.round((total.tokens / total.messages) * 1000) : 0
  const text = (count: number) => count.toLocaleString('en')
  return [
    { state: 'ok', what: `${text(today)} of ${text(tokensPerDay)} tokens are used today.` },
    {
      state: 'ok',
      what: `${text(perThousand)} tokens per 1,000 messages in the last ${DAYS} days: ${text(total.tokens)} for ${text(total.messages)}.`,
    },
    {
      state: 'ok',
      what: `Insights named by it: ${text(total.named)}. For which no answer was good enough: ${text(total.refused)}.`,
    },
    {
      state: 'ok',
      what: `Undecided messages that it judged: ${text(total.judged)}, of which an insight took ${text(total.joined)}. Long messages that it took apart: ${text(total.split)}.`,
    },
  ]
}

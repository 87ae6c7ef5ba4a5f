import type { LlmSettings } from '../../platform/config/model-settings.ts'
import { inWorkspace, type Tx, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { ModelProvider } from '../../platform/model-provider/provider.ts'
import type { Services } from '../../platform/services.ts'
import { allWorkspaces } from '../../platform/sweep/store.ts'
import type { Finding } from '../checkup/index.ts'
import { type ControlCounts, countReadings, countUnreviewed } from '../insights/index.ts'
import { type Activity, readActivity } from './activity-store.ts'
import { readJudgeErrors, readReviewErrors } from './error-rates.ts'
import { TOKENS_PER_QUESTION, tokensToRead, tokensToReview } from './estimate.ts'
import { languageModelProvider } from './provider.ts'
import { readChoice } from './reading-choice-store.ts'

const DAY_MS = 86_400_000
const DAYS = 30
const TIME_LIMIT_MS = 10_000

/** Checks whether a language model is set up and can be reached, and what it has done. Uses no tokens. */
export async function checkModel(services: Services): Promise<Finding[]> {
  const settings = services.config.llm
  if (!settings) return [{ state: 'ok', what: 'No language model is set up: names and groups are made by the engine.' }]
  const provider = languageModelProvider(services, settings)
  return [
    await checkReach(settings),
    ...(await checkOutage(services, provider)),
    ...(await reportUse(services, settings, provider)),
  ]
}

async function checkReach(settings: LlmSettings): Promise<Finding> {
  const { provider, model, url, key } = settings
  const { openModel, ProviderMissing } = await import('./language-model.ts')
  try {
    await openModel(settings)
  } catch (error) {
    if (!(error instanceof ProviderMissing)) throw error
    return { state: 'problem', what: error.message }
  }
  if (provider !== 'openai-compatible' || url === undefined) {
    return { state: 'ok', what: `The language model is ${model} by ${provider}. Its first call will show if it works.` }
  }
  try {
    const response = await fetch(`${url}/models`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    })
    await response.body?.cancel()
    if (response.status === 401 || response.status === 403) {
      return {
        state: 'problem',
        what: `The language model refused the key (${response.status}).`,
        advice: 'Set LLM_KEY.',
      }
    }
    return { state: 'ok', what: `The language model is ${model} at ${url}, which can be reached.` }
  } catch {
    return {
      state: 'problem',
      what: `The language model cannot be reached at ${url}.`,
      advice: 'Start it, or correct LLM_URL. Until then names and groups stay as the engine makes them.',
    }
  }
}

async function checkOutage(services: Services, provider: ModelProvider): Promise<Finding[]> {
  const outage = await provider.readOutage()
  if (!outage) return []
  const { what, since, pausedUntil } = outage
  const advice =
    pausedUntil && pausedUntil > services.now()
      ? `Calls resume after ${pausedUntil.toISOString()}.`
      : 'Calls resume within the next minutes.'
  return [{ state: 'problem', what: `The language model has failed since ${since.toISOString()}: ${what}.`, advice }]
}

/**
 * What an owner's choice still has the model do: messages to read (null: none are), and insights to review. `stopped`: none are reviewed, because the model is too
 * often wrong.
 */
async function readAhead(
  tx: Tx,
  workspaceId: string,
  stopped: boolean,
): Promise<{ left: number | null; insights: number; shown: number; stopped: number }> {
  const choice = await readChoice(tx, workspaceId)
  if (!choice) return { left: null, insights: 0, shown: 0, stopped: 0 }
  const { left } = await countReadings(tx, workspaceId, choice)
  if (!choice.reviews || stopped) return { left, insights: 0, shown: 0, stopped: choice.reviews ? 1 : 0 }
  return { left, ...(await countUnreviewed(tx, workspaceId)), stopped: 0 }
}

async function reportUse(
  services: Services,
  { model }: Pick<LlmSettings, 'model'>,
  provider: ModelProvider,
): Promise<Finding[]> {
  const since = new Date(services.now().getTime() - (DAYS - 1) * DAY_MS)
  const chosen = { workspaces: 0, left: 0, insights: 0, shown: 0, stopped: 0 }
  const judge = { asked: 0, wrong: 0 }
  const reviewer = { asked: 0, wrong: 0 }
  const total: Activity = { tokens: 0, messages: 0, named: 0, refused: 0, judged: 0, joined: 0, split: 0, unasked: 0 }
  for (const id of await withoutWorkspace(services.db, allWorkspaces)) {
    const one = await inWorkspace(services.db, id, (tx) => readActivity(tx, id, since))
    for (const key of Object.keys(total) as (keyof Activity)[]) total[key] += one[key]
    const { judged, reviewed, ahead } = await inWorkspace(services.db, id, async (tx) => {
      const { errors, stopped } = await readReviewErrors(tx, id, model)
      return { judged: await readJudgeErrors(tx, id), reviewed: errors, ahead: await readAhead(tx, id, stopped) }
    })
    add(judge, judged)
    add(reviewer, reviewed)
    const { left, insights, shown, stopped } = ahead
    chosen.workspaces += left === null ? 0 : 1
    chosen.left += left ?? 0
    chosen.insights += insights
    chosen.shown += shown
    chosen.stopped += stopped
  }
  const today = await provider.readToday()
  const perThousand = total.messages > 0 ? Math.round((total.tokens / total.messages) * 1000) : 0
  const text = (count: number) => count.toLocaleString('en')
  const review = tokensToReview(chosen)
  return [
    { state: 'ok', what: `Tokens used today: ${text(today?.used ?? 0)} of ${text(today?.perDay ?? 0)}.` },
    {
      state: 'ok',
      what: `Tokens per 1,000 messages in the last ${DAYS} days: ${text(perThousand)} (${text(total.tokens)} for ${text(total.messages)}).`,
    },
    {
      state: 'ok',
      what: `Insights named by the model: ${text(total.named)}. Insights without an acceptable answer: ${text(total.refused)}.`,
    },
    {
      state: 'ok',
      what: `Undecided messages judged: ${text(total.judged)}, of which ${text(total.joined)} joined an insight. Long messages divided: ${text(total.split)}.`,
    },
    {
      state: 'ok',
      what: `Controls answered wrong: ${text(judge.wrong)} of ${text(judge.asked)} about undecided messages, ${text(reviewer.wrong)} of ${text(reviewer.asked)} in reviews.`,
    },
    ...(chosen.stopped === 0 ? [] : [reviewsStopped(chosen.stopped)]),
    {
      state: 'ok',
      what: `Messages in no insight that it has not been asked about: ${text(total.unasked)}, for about ${text(total.unasked * TOKENS_PER_QUESTION)} tokens.`,
    },
    {
      state: 'ok',
      what:
        chosen.workspaces === 0
          ? 'No workspace has messages read, or insights reviewed, by the language model.'
          : `Workspaces that have messages read: ${text(chosen.workspaces)}. Messages to read: ${text(chosen.left)}, for about ${text(tokensToRead(chosen.left))} tokens. Insights to review: ${text(chosen.insights)}, for about ${text(review.least)} to ${text(review.most)} tokens.`,
    },
  ]
}

function add(total: ControlCounts, { asked, wrong }: ControlCounts): void {
  total.asked += asked
  total.wrong += wrong
}

function reviewsStopped(workspaces: number): Finding {
  return {
    state: 'problem',
    what: `Reviews by the language model have stopped in ${workspaces} ${workspaces === 1 ? 'workspace' : 'workspaces'}: it answered too many of their controls wrong.`,
    advice: 'Set another LLM_MODEL, or start reviews again in Settings, Language model: that measures this one again.',
  }
}

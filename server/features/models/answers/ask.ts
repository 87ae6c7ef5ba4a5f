import { randomUUID } from 'node:crypto'
import type { Answer, FoundFeedback } from '@groundswell/contract/feedback/feedback-search.ts'
import type { LlmSettings } from '../../../platform/config/model-settings.ts'
import { ModelFailure } from '../../../platform/model-provider/failure.ts'
import { BudgetExhausted, type ModelProvider, ShareExceeded } from '../../../platform/model-provider/provider.ts'
import type { Services } from '../../../platform/services.ts'
import { speaksToModels } from '../injection.ts'
import { maxTokensOf, openModel, ProviderMissing } from '../language-model.ts'
import { parseReply } from '../parse-reply.ts'
import { oneLine, withoutAddresses } from '../plain-text.ts'
import { newMark, readInstructions, writeData } from '../prompt.ts'
import { languageModelProvider } from '../provider.ts'
import { type SentText, supportedSentences } from './check-answer.ts'
import { ModelAnswer } from './schema.ts'

/** Shorter than the limit of the background tasks: a person waits for the answer. */
const TIME_LIMIT_MS = 30_000
/** The longest text that is sent whole. A longer message is represented by its best statement, or by its beginning while it is not grouped; the rest, which may be very long, is not read. */
const MAX_TEXT = 600
const MAX_QUESTION = 300
/** The share of the day's budget that questions may use. The rest is left to the names of insights. */
const BUDGET_SHARE = 0.5

/** Who asks, and where. */
type Asking = { workspaceId: string; accountId: string }

type Outcome = Pick<Answer, 'outcome' | 'sentences' | 'problem' | 'tokens'>

/**
 * Asks the model a question about these messages. Nothing but their texts is sent: no authors, links and addresses, and no message that addresses
 * a model. `signal`: nobody is waiting for the answer. Failures are part of the outcome; an outage is recorded for the other tasks of the model.
 */
export async function askModel(
  services: Services,
  settings: LlmSettings,
  { caller, question, feedback }: { caller: Asking; question: string; feedback: readonly FoundFeedback[] },
  { signal, timeLimitMs = TIME_LIMIT_MS }: { signal: AbortSignal; timeLimitMs?: number },
): Promise<Outcome> {
  const provider = languageModelProvider(services, settings)
  const sent = textsToSend(
    feedback.map(({ message, text }) => (message && message.length <= MAX_TEXT ? message : text.slice(0, MAX_TEXT))),
  )
  if (sent.length === 0) return nothing(null)
  const outage = await provider.readOutage()
  if (outage?.pausedUntil && outage.pausedUntil > services.now()) {
    return failed(`The language model cannot be used: ${outage.what}. It is retried in a few minutes.`)
  }
  const prompt = {
    instructions: await readInstructions(import.meta.dirname),
    message: writeData(
      { question: oneLine(question, MAX_QUESTION), feedback: sent.map(({ id, text }) => ({ id, text })) },
      newMark(),
    ),
    schema: ModelAnswer,
  }
  try {
    const call = await openModel(settings, { timeLimitMs, now: services.now })
    const { workspaceId, accountId } = caller
    const expense = { workspaceId, accountId, maxTokens: maxTokensOf(prompt), share: BUDGET_SHARE }
    const { result, tokens } = await provider.spend(expense, async (report) => {
      const reply = await call(prompt, signal)
      if (reply.tokens !== null) report(reply.tokens)
      return reply
    })
    await provider.endOutage()
    const reply = parseReply(result.text, ModelAnswer)
    if (!reply) return failed('The reply of the language model is not in the requested form. Ask again.', tokens)
    const sentences = supportedSentences(reply, sent)
    return sentences.length > 0 ? { outcome: 'answered', sentences, problem: null, tokens } : nothing(tokens)
  } catch (error) {
    signal.throwIfAborted()
    return failed(await reasonOf(error, provider))
  }
}

/** What is sent of the messages, each with a random id, so that no message can name another. */
function textsToSend(texts: readonly string[]): SentText[] {
  const ids = new Set<string>()
  return texts.flatMap((whole, position) => {
    const text = oneLine(withoutAddresses(whole), MAX_TEXT)
    if (text === '' || speaksToModels(whole)) return []
    let id = ''
    do id = randomUUID().slice(0, 5)
    while (ids.has(id))
    ids.add(id)
    return [{ id, position, text, original: oneLine(whole, Number.POSITIVE_INFINITY) }]
  })
}

/** Why there is no answer, for people. Rethrows errors that do not come from the model. */
async function reasonOf(error: unknown, provider: ModelProvider): Promise<string> {
  if (error instanceof ShareExceeded) {
    const minutes = Math.ceil(error.seconds / 60)
    const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
    return `Your share of today’s token budget for questions is used up for now: the rest is for others. Ask again in ${wait}.`
  }
  if (error instanceof BudgetExhausted) {
    return 'Today’s token budget for questions is used up. Ask again tomorrow (UTC), or have LLM_TOKENS_PER_DAY raised.'
  }
  const failure = error instanceof ProviderMissing ? new ModelFailure('auth', error.message) : error
  if (!(failure instanceof ModelFailure)) throw error
  // A rejected request may be about this question alone.
  if (failure.kind !== 'rejected') await provider.reportOutage(failure)
  return `The language model did not answer: ${failure.message}.`
}

function nothing(tokens: number | null): Outcome {
  return { outcome: 'nothing', sentences: [], problem: null, tokens }
}

function failed(problem: string, tokens: number | null = null): Outcome {
  return { outcome: 'failed', sentences: [], problem, tokens }
}

import { askFeedback } from '@groundswell/contract/feedback/feedback-search.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { inTurn } from '../../../platform/shares/turns.ts'
import { findForQuestion, type SearchByMeaning } from '../../insights/index.ts'
import { contentWords } from '../content-words.ts'
import { languageModelProvider } from '../provider.ts'

/** The most messages that an answer is from. */
const MAX_FEEDBACK = 20

/** The call that answers a question from feedback. Without a model, or if it fails, the best-matching feedback is listed. */
export function answerRoutes(services: Services, meaning: SearchByMeaning | undefined): Handler[] {
  return [
    handle(askFeedback, async ({ caller, body, request: { signal } }) => {
      const search = { ...body, words: contentWords(body.question), limit: MAX_FEEDBACK }
      const found = await inTurn(services, 'searches', caller, signal, () =>
        findForQuestion(services, meaning, caller.workspaceId, search),
      )
      const settings = services.config.llm
      const none = { ...found, sentences: [], problem: null, tokens: null, budget: null }
      if (!settings) return { ...none, outcome: 'no_model' as const, model: null }
      const { askModel } = await import('./ask.ts')
      const asked = { caller, question: body.question, feedback: found.feedback }
      const answer = await askModel(services, settings, asked, { signal })
      const today = await languageModelProvider(services, settings).readToday()
      const budget = today && { used: today.used, per_day: today.perDay }
      return { ...found, ...answer, model: settings.model, budget }
    }),
  ]
}

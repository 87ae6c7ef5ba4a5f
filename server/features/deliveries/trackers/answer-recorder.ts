import type { Context, Http, HttpResponse, PushOutcome } from '@groundswell/connectors/connector.ts'
import { ledgerAnswer } from '@groundswell/connectors/kit/ledger.ts'

/** Wraps the HTTP client of a context, and returns what the ledger records of a push that took several requests. */
export function recordAnswers({ http, secrets }: Context): {
  http: Http
  outcome(instead: string | null): Omit<PushOutcome, 'remote'>
} {
  let last: HttpResponse | null = null
  let durationMs = 0
  return {
    http: {
      request: async (request) => {
        last = await http.request(request)
        durationMs += last.durationMs
        return last
      },
    },
    outcome: (instead) => ({
      status: last?.status ?? 200,
      answer: instead ?? ledgerAnswer(last?.body ?? '', Object.values(secrets)),
      durationMs,
    }),
  }
}

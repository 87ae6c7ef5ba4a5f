import { randomUUID } from 'node:crypto'
import type { Connector, Context, PushOutcome, PushRequest } from '../connector.ts'
import { isConnectorFailure, RateLimited, Unavailable } from '../kit/errors.ts'
import { overHttp, type PlantedFault, sendsAgain, unending } from './planting.ts'

type Push = (context: Context, request: PushRequest) => Promise<PushOutcome>

const pushing =
  (change: (push: Push) => Push) =>
  (good: Connector): Connector => ({ ...good, ...(good.push ? { push: change(good.push) } : {}) })

const failingAs = (change: (error: unknown, context: Context) => Error | PushOutcome) =>
  pushing((push) => async (context, request) => {
    try {
      return await push(context, request)
    } catch (error) {
      const changed = change(error, context)
      if (changed instanceof Error) throw changed
      return changed
    }
  })

const DELIVERED: PushOutcome = { status: 200, answer: '', durationMs: 1, remote: null }
const withLedger = (error: unknown) => ({ ledger: isConnectorFailure(error) ? error.ledger : undefined })
/** The message of a failure in its entry for the ledger too, as the suite expects it. */
const saying = (error: unknown, message: string) => {
  const { ledger } = withLedger(error)
  return new Unavailable(message, ledger ? { ledger: { ...ledger, error: message } } : {})
}
const reports = (status: number) => `and reports ${status} as a failure, without a second request`
const LEAKS = 'and puts no secret and no customer text into messages, logs and the ledger'
const SENDS = 'in one request with the delivery id'

/** Faults that any connector that pushes events may have, planted from outside, and the check of the suite that catches each. */
export const plantedPushFaults: readonly PlantedFault<Connector>[] = [
  {
    fault: 'sends an event twice',
    plant: pushing((push) => async (context, request) => {
      await push(context, request)
      return await push(context, request)
    }),
    check: SENDS,
  },
  {
    fault: 'makes its own id for each attempt',
    plant: pushing((push) => (context, request) => {
      const deliveryId = randomUUID()
      return push(context, { deliveryId, payload: { ...request.payload, delivery_id: deliveryId } })
    }),
    check: SENDS,
  },
  { fault: 'takes a redirect for success', plant: failingAs(() => DELIVERED), check: reports(301) },
  { fault: 'takes an outage for success', plant: failingAs(() => DELIVERED), check: reports(503) },
  {
    fault: 'sends again after a refusal',
    plant: pushing((push) => (context, request) => push(overHttp(context, sendsAgain(0)), request)),
    check: reports(500),
  },
  {
    fault: 'takes a rate limit for an outage',
    plant: failingAs((error) => saying(error, 'It is down')),
    check: reports(429),
  },
  {
    fault: 'leaves out how long to wait',
    plant: failingAs((error) => new RateLimited('Later', withLedger(saying(error, 'Later')))),
    check: 'and passes on how long a 429 asks to wait',
  },
  {
    fault: 'takes silence for success',
    plant: failingAs(() => DELIVERED),
    check: 'and reports a hang, a reset and a truncated response as failures to retry',
  },
  {
    fault: 'shows a secret in a message',
    plant: failingAs((error, { secrets }) => saying(error, `It failed with ${Object.values(secrets).join()}`)),
    check: LEAKS,
  },
  {
    fault: 'logs what customers wrote',
    plant: pushing((push) => (context, request) => {
      context.log.info({ evidence: request.payload.data.evidence }, 'sends an event')
      return push(context, request)
    }),
    check: LEAKS,
  },
  {
    fault: 'ignores the signal',
    plant: pushing((push) => (context, request) => push(unending(context), request)),
    check: 'and stops when the signal is aborted, whatever is answered then',
  },
]

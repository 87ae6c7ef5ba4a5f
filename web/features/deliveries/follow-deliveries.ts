import { type Delivery, getDelivery } from '@groundswell/contract/deliveries.ts'
import { PROGRESS_POLL_MS } from '../../ui/constants.ts'
import { call } from '../client/index.ts'
import { isUnderWay } from './wait-words.ts'

const LOOKS = 30

/**
 * Polls deliveries every second until all have arrived, one has failed, or half a minute has passed. Returns their last known
 * state; those that could not be requested are omitted.
 */
export async function followDeliveries(ids: readonly string[]): Promise<Delivery[]> {
  let seen: Delivery[] = []
  for (let look = 0; look < LOOKS; look += 1) {
    const answers = await Promise.allSettled(ids.map((id) => call(getDelivery, { params: { id } })))
    seen = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.delivery] : []))
    const moving = seen.some((one) => isUnderWay(one) && !one.last_error)
    if (seen.length === 0 || !moving) return seen
    await new Promise((resolve) => setTimeout(resolve, PROGRESS_POLL_MS))
  }
  return seen
}

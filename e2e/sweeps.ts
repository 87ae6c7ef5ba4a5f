import type { Handler, Queue } from '@groundswell/server/platform/queue/queue.ts'
import { jobs } from '@groundswell/server/wiring.ts'
import type { Stack } from './stack.ts'

const DAY_MS = 24 * 3_600_000

/** Runs what the worker runs each minute, by the name of its job, as if it were a day later. */
export function sweepTomorrow({ services }: Stack, name: string): Promise<void> {
  return sweep({ ...services, now: () => new Date(Date.now() + DAY_MS) }, name)
}

/** Runs it at the time of the stack's clock, without waiting for the minute. */
export function sweepNow({ services }: Stack, name: string): Promise<void> {
  return sweep(services, name)
}

async function sweep(services: Stack['services'], name: string): Promise<void> {
  const found = jobs(services).find((one) => one.name === name)
  const queue = {
    work: (_job: unknown, handler: Handler<unknown>) => handler({}, {} as never),
    schedule: async () => undefined,
    isAnotherWaiting: async () => false,
  }
  if (!found) throw new Error(`there is no job ${name}`)
  await found.start(queue as unknown as Queue)
}

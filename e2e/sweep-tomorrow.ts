import type { Handler, Queue } from '@groundswell/server/platform/queue/queue.ts'
import { jobs } from '@groundswell/server/wiring.ts'
import type { Stack } from './stack.ts'

const DAY_MS = 24 * 3_600_000

/** Runs what the worker runs each minute, by the name of its job, as if it were a day later. */
export async function sweepTomorrow({ services: now }: Stack, name: string): Promise<void> {
  const services = { ...now, now: () => new Date(Date.now() + DAY_MS) }
  const sweep = jobs(services).find((one) => one.name === name)
  const queue = {
    work: (_job: unknown, handler: Handler<unknown>) => handler({}, {} as never),
    schedule: async () => undefined,
    isAnotherWaiting: async () => false,
  }
  await sweep?.start(queue as unknown as Queue)
}

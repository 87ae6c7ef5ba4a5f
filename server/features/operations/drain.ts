import { setTimeout as pause } from 'node:timers/promises'
import { defineCache } from '../../platform/caches.ts'
import type { Services } from '../../platform/services.ts'

/** Whether this process is about to stop. */
export const stopping = defineCache('stopping', () => ({ began: false }))

/** Makes `/api/health` of this process answer 503, and resolves once a load balancer had SHUTDOWN_DELAY to notice. Calls are served meanwhile. */
export async function drain(services: Pick<Services, 'caches' | 'config'>): Promise<void> {
  services.caches.of(stopping).began = true
  await pause(services.config.shutdownDelayMs)
}

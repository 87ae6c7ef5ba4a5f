import { boot } from '../boot.ts'
import { type Monitoring, type Role, startMonitoring } from '../features/monitoring/index.ts'
import { readConfig } from '../platform/config/config.ts'
import type { Services } from '../platform/services.ts'
import { startTraces } from '../platform/traces/start.ts'
import { version } from '../platform/version.ts'
import { runUntilStopped } from '../run-until-stopped.ts'

/** Starts a role's own parts. Resolves to what stops them, which is called before the services stop. */
type StartParts = (services: Services, monitoring: Monitoring | undefined) => Promise<() => Promise<unknown>>

/** Runs a process of this role with its services, traces and metrics, until it is told to stop. */
export function runRole(role: Role, start: StartParts): Promise<void> {
  return runUntilStopped(async () => {
    const { services, stop } = await boot(readConfig(), { listens: true })
    try {
      const traces = await startTraces(services, { role, version })
      const monitoring = await startMonitoring(services, role)
      const stopParts = await start(services, monitoring)
      return {
        async stop() {
          await stopParts()
          await stop()
          await monitoring?.close()
          await traces?.stop()
        },
      }
    } catch (error) {
      await stop()
      throw error
    }
  })
}

/** The line of a process that publishes metrics; empty for one that does not. */
export const metricsLine = (monitoring: Monitoring | undefined): string =>
  monitoring ? `Metrics are at ${monitoring.url}/metrics\n` : ''

import { startApi } from '../api.ts'
import { needsFirstAdmin, setupToken } from '../auth/index.ts'
import { boot } from '../boot.ts'
import { startMonitoring } from '../features/monitoring/index.ts'
import { drain } from '../features/operations/index.ts'
import { readConfig } from '../platform/config/config.ts'
import { startTraces } from '../platform/traces/start.ts'
import { version } from '../platform/version.ts'
import { runUntilStopped } from '../run-until-stopped.ts'
import { startWorker } from '../worker.ts'

/** Only the API and the web app. A taken port is an error here: a proxy expects this one. */
export function serve(): Promise<void> {
  return runUntilStopped(async () => {
    const { services, stop } = await boot(readConfig(), { listens: true })
    try {
      const traces = await startTraces(services, { role: 'serve', version })
      const monitoring = await startMonitoring(services, 'serve')
      const api = await startApi(services, monitoring && { onAnswered: monitoring.onAnswered })
      process.stdout.write(`Groundswell is at ${services.config.publicUrl ?? api.url} (no worker in this process)\n`)
      if (monitoring) process.stdout.write(`Metrics are at ${monitoring.url}/metrics\n`)
      if (await needsFirstAdmin(services)) {
        process.stdout.write(`Set-up token for the first account, when made from elsewhere: ${setupToken(services)}\n`)
      }
      return {
        async stop() {
          await drain(services)
          await api.close()
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

/** Only a worker; any number of them may run. */
export function work(): Promise<void> {
  return runUntilStopped(async () => {
    const { services, stop } = await boot(readConfig(), { listens: true })
    try {
      const traces = await startTraces(services, { role: 'worker', version })
      const monitoring = await startMonitoring(services, 'worker')
      await startWorker(services)
      if (monitoring) process.stdout.write(`Metrics are at ${monitoring.url}/metrics\n`)
      process.stdout.write('A Groundswell worker is running. Ctrl-C stops it.\n')
      return {
        async stop() {
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

import { startApi } from '../api.ts'
import { needsFirstAdmin, setupToken } from '../auth/index.ts'
import { boot } from '../boot.ts'
import { startMonitoring } from '../features/monitoring/index.ts'
import { readConfig } from '../platform/config/config.ts'
import { startTraces } from '../platform/traces/start.ts'
import { version } from '../platform/version.ts'
import { runUntilStopped } from '../run-until-stopped.ts'
import { startWorker } from '../worker.ts'

/** The product on one machine: api, web and worker in one process, over the private PostgreSQL or DATABASE_URL. */
export function runAllInOne(): Promise<void> {
  return runUntilStopped(async () => {
    const { services, stop } = await boot(readConfig(), { listens: true })
    try {
      const traces = await startTraces(services, { role: 'all', version })
      const monitoring = await startMonitoring(services, 'all')
      const api = await startApi(services, {
        nextPorts: services.config.nextPorts,
        say: (text) => process.stdout.write(`${text}\n`),
        ...(monitoring && { onAnswered: monitoring.onAnswered }),
      })
      await startWorker(services)
      process.stdout.write(`\nGroundswell is at ${services.config.publicUrl ?? api.url}\n`)
      if (await needsFirstAdmin(services)) {
        process.stdout.write(
          `The first account made from this machine becomes admin. From elsewhere it needs the set-up token: ${setupToken(services)}\n`,
        )
      }
      if (monitoring) process.stdout.write(`Metrics are at ${monitoring.url}/metrics\n`)
      process.stdout.write('Ctrl-C stops it.\n')
      return {
        async stop() {
          await Promise.all([api.close(), services.queue.drain()])
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

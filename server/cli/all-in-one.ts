import { startApi } from '../api.ts'
import { needsFirstAdmin, setupToken } from '../auth/index.ts'
import { startWorker } from '../worker.ts'
import { metricsLine, runRole } from './run-role.ts'

/** The product on one machine: api, web and worker in one process, over the private PostgreSQL or DATABASE_URL. */
export function runAllInOne(): Promise<void> {
  return runRole('all', async (services, monitoring) => {
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
    process.stdout.write(`${metricsLine(monitoring)}Ctrl-C stops it.\n`)
    return () => Promise.all([api.close(), services.queue.drain()])
  })
}

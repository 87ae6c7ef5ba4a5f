import { startApi } from '../api.ts'
import { needsFirstAdmin, setupToken } from '../auth/index.ts'
import { drain } from '../features/operations/index.ts'
import { startWorker } from '../worker.ts'
import { metricsLine, runRole } from './run-role.ts'

/** Only the API and the web app. A taken port is an error here: a proxy expects this one. */
export function serve(): Promise<void> {
  return runRole('serve', async (services, monitoring) => {
    const api = await startApi(services, monitoring && { onAnswered: monitoring.onAnswered })
    process.stdout.write(`Groundswell is at ${services.config.publicUrl ?? api.url} (no worker in this process)\n`)
    process.stdout.write(metricsLine(monitoring))
    if (await needsFirstAdmin(services)) {
      process.stdout.write(`Set-up token for the first account, when made from elsewhere: ${setupToken(services)}\n`)
    }
    return async () => {
      await drain(services)
      await api.close()
    }
  })
}

/** Only a worker; any number of them may run. */
export function work(): Promise<void> {
  return runRole('worker', async (services, monitoring) => {
    await startWorker(services)
    process.stdout.write(`${metricsLine(monitoring)}A Groundswell worker is running. Ctrl-C stops it.\n`)
    return () => Promise.resolve()
  })
}

import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { defineJob, type JobWorker } from '../../../platform/queue/queue.ts'
import type { Services } from '../../../platform/services.ts'
import { backupFolder } from './folder.ts'
import { type WriterOrder, WriterReport } from './order.ts'

const backupJob = defineJob({
  name: 'scheduled-backup',
  schema: z.object({}),
  serial: true,
  tries: 3,
  pauses: [600, 3_600],
  timeout: 6 * 3_600,
})

/**
 * Backs the private database up once a day. A server at DATABASE_URL has its own backups. If this installation was not running at that hour, the
 * backup is made when it starts; a new installation makes its first at the next such hour.
 */
export function backupJobs(services: Services): JobWorker[] {
  const { config, db } = services
  if (!db.embedded) return []
  return [
    {
      name: backupJob.name,
      async start(queue) {
        if (config.backups.keep === 0) return queue.unschedule(backupJob)
        await queue.work(backupJob, (_data, run) => backUp(services, run.signal))
        await queue.schedule(backupJob, `0 ${config.backups.hour} * * *`, {})
      },
    },
  ]
}

/** Writes a scheduled backup now, in its own thread, and deletes the oldest. Throws with the reason where it cannot. */
export async function backUp(services: Services, signal: AbortSignal): Promise<void> {
  const { config, db, key, log } = services
  const order = { ownerUrl: db.ownerUrl, folder: backupFolder(config), keep: config.backups.keep, keyId: key.id }
  const report = await runWriter({ ...order, at: services.now() }, signal)
  if ('busy' in report) log.info('another process is writing a backup')
  else log.info({ file: report.file }, 'a backup was written')
}

async function runWriter(order: WriterOrder, signal: AbortSignal): Promise<WriterReport> {
  const writer = new Worker(new URL('./writer.ts', import.meta.url), {
    name: 'backup',
    execArgv: [],
    workerData: order,
  })
  const stop = () => void writer.terminate()
  signal.addEventListener('abort', stop)
  try {
    return await new Promise<WriterReport>((resolve, reject) => {
      writer.once('message', (message) => resolve(WriterReport.parse(message)))
      writer.once('error', reject)
      writer.once('exit', () => reject(new Error('the backup was interrupted')))
      if (signal.aborted) stop()
    })
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

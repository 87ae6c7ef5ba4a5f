import { silentLog } from '../log/log.ts'
import { createQueue } from './queue.ts'
import { long, longSerial } from './test-jobs.ts'

/** A worker process for tests to kill: prints when a job starts, and never finishes it. */
const queue = await createQueue({ url: process.argv[2] ?? '', log: silentLog() })
const forever = (data: { mark: string }): Promise<void> => {
  process.stdout.write(`began ${data.mark}\n`)
  return new Promise(() => undefined)
}
await queue.work(long, forever)
await queue.work(longSerial, forever)
process.stdout.write('ready\n')

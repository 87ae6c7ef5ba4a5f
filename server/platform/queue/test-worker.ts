import { connect } from '../db/database.ts'
import { silentLog } from '../log/log.ts'
import { createQueue } from './queue.ts'
import { long, longSerial } from './test-jobs.ts'

/** A worker process for tests to kill: prints when a job starts, and never finishes it. */
const url = process.argv[2] ?? ''
const queue = await createQueue({ db: connect({ ownerUrl: url, appUrl: url }, silentLog()), log: silentLog() })
const forever = (data: { mark: string }): Promise<void> => {
  process.stdout.write(`began ${data.mark}\n`)
  return new Promise(() => undefined)
}
await queue.work(long, forever)
await queue.work(longSerial, forever)
process.stdout.write('ready\n')

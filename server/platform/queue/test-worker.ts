import { connect } from '../db/database.ts'
import { silentLog } from '../log/log.ts'
import { createQueue } from './queue.ts'
import { leased, long, longSerial } from './test-jobs.ts'

/** A worker process for tests to kill: prints when a job starts, and never finishes it; leased ones it does, and leases their key. */
const url = process.argv[2] ?? ''
const queue = await createQueue({ db: connect({ ownerUrl: url, appUrl: url }, silentLog()), log: silentLog() })
const forever = (data: { mark: string }): Promise<void> => {
  process.stdout.write(`began ${data.mark}\n`)
  return new Promise(() => undefined)
}
await queue.work(long, forever)
await queue.work(longSerial, forever)
await queue.work(leased, async ({ key, mark }) => {
  await queue.lease(key)
  process.stdout.write(`did ${mark}\n`)
})
process.stdout.write('ready\n')

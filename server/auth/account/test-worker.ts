import { withCaches } from '../../platform/caches.ts'
import { readConfig } from '../../platform/config/config.ts'
import { connect } from '../../platform/db/database.ts'
import { silentLog } from '../../platform/log/log.ts'
import { createQueue } from '../../platform/queue/queue.ts'
import { keyFrom } from '../../platform/secrets/seal.ts'
import { erasureWorker } from './erase-workspace.ts'

/** A worker process for a test to kill: erases workspaces of the database in its arguments: as the app, and as the sign-in code. */
const [url = '', authUrl] = process.argv.slice(2)
const log = silentLog()
const db = connect({ ownerUrl: url, appUrl: url, authUrl }, log)
const config = readConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent', ENCODER: 'off' })
const queue = await createQueue({ db, log })
await queue.work(
  erasureWorker(withCaches({ config, log, db, queue, key: keyFrom(Buffer.alloc(32, 7)), now: () => new Date() })),
)

import { withCaches } from '../../platform/caches.ts'
import { readConfig } from '../../platform/config/config.ts'
import { connect } from '../../platform/db/database.ts'
import { silentLog } from '../../platform/log/log.ts'
import { createQueue } from '../../platform/queue/queue.ts'
import { keyFrom } from '../../platform/secrets/seal.ts'
import { deliverTo } from './deliver.ts'

/** A worker process for a test to kill: sends the due deliveries of a receiver, and ends. Its arguments: database, workspace, receiver. */
const [url = '', workspaceId = '', receiverId = ''] = process.argv.slice(2)
const log = silentLog()
const db = connect({ ownerUrl: url, appUrl: url }, log)
const config = readConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent', ENCODER: 'off', WEBHOOK_ALLOW: '127.0.0.1' })
const queue = await createQueue({ db, log, maintain: false })
const services = withCaches({ config, log, db, queue, key: keyFrom(Buffer.alloc(32, 7)), now: () => new Date() })
await deliverTo(services, workspaceId, receiverId, new AbortController().signal)
process.exit()

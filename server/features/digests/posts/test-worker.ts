import { withCaches } from '../../../platform/caches.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { connect } from '../../../platform/db/database.ts'
import { silentLog } from '../../../platform/log/log.ts'
import { createQueue } from '../../../platform/queue/queue.ts'
import { keyFrom } from '../../../platform/secrets/seal.ts'
import { sendDuePosts } from './send.ts'

/** A worker process for a test to kill: posts the messages that are due at a time, and ends. Its arguments: database, provider, time. */
const [url = '', slack = '', time = ''] = process.argv.slice(2)
const log = silentLog()
const db = connect({ ownerUrl: url, appUrl: url }, log)
const config = { ...readConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent', ENCODER: 'off' }), baseUrls: { slack } }
const queue = await createQueue({ db, log, maintain: false })
const now = () => new Date(time)
await sendDuePosts(withCaches({ config, log, db, queue, key: keyFrom(Buffer.alloc(32, 7)), now }))
process.exit()

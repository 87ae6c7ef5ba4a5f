import { createLog } from '../../log/log.ts'
import { startEmbedded } from './server.ts'

/** A process for tests to kill: starts the server of a data folder, prints that it has, and runs until it is stopped. */
const [dataDir = '', stopWithParent] = process.argv.slice(2)
try {
  const log = createLog({ logLevel: 'silent' })
  const server = await startEmbedded({ dataDir, log, stopWithParent: stopWithParent === 'watched' })
  process.stdout.write(`${JSON.stringify({ pid: server.pid, ownerUrl: server.ownerUrl })}\n`)
  process.stdin.once('data', () => void server.stop().then(() => process.exit(0)))
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: (error as Error).message })}\n`)
  process.exitCode = 1
}

import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { writeBackupFile } from '../backup-file.ts'
import { withBackupLock } from '../store.ts'
import { writeBackup } from '../write.ts'
import { newBackupFile, pruneBackups } from './folder.ts'
import { WriterOrder, type WriterReport } from './order.ts'

// Its own thread, so that it can have a low priority: it writes one scheduled backup, reports the outcome, and ends.

const LOWEST_PRIORITY = 19
/** A disk with less stops the private database before long. */
const KEEP_FREE_BYTES = 512 * 1024 ** 2

async function write({ ownerUrl, folder, keep, keyId, at }: WriterOrder): Promise<WriterReport> {
  const file = await withBackupLock(ownerUrl, async () => {
    await pruneBackups(folder, keep)
    const next = await newBackupFile(folder, at)
    const lines = writeBackup(ownerUrl, { key: null, sealedWith: keyId, now: at, priority: LOWEST_PRIORITY })
    await writeBackupFile(next, lines, { keepFree: KEEP_FREE_BYTES, inThisThread: true })
    await pruneBackups(folder, keep)
    return next
  })
  return file === null ? { busy: true } : { file }
}

// On Linux a thread has its own priority; elsewhere this would be the priority of the whole process.
if (process.platform === 'linux') setPriority(LOWEST_PRIORITY)
parentPort?.postMessage(await write(WriterOrder.parse(workerData)))

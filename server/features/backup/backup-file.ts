import { createWriteStream } from 'node:fs'
import { rm, statfs } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, gzipSync } from 'node:zlib'
import { putInPlace, sync } from '../../platform/files/replace-file.ts'
import { BackupError } from './format.ts'

/** A file that is being written, or whose writer was killed, ends with it: an incomplete backup never looks complete. */
export const PARTIAL = '.partial'

/** How many bytes are written between two checks of the free space. */
const CHECK_BYTES = 8 * 1024 ** 2
/** How many characters are compressed at once where that happens in the calling thread. */
const BLOCK_CHARACTERS = 1024 ** 2

/**
 * `keepFree`: the file is given up before less than this many bytes are free on its disk, since a private database on a full disk stops.
 * `inThisThread`: it is compressed in the calling thread, so that a thread of low priority does all the work.
 */
type FileOptions = { keepFree?: number; inThisThread?: boolean }

/** Writes the lines of a backup into a file that appears, synced to disk, only when it is complete. A failure leaves no file. */
export async function writeBackupFile(
  file: string,
  lines: AsyncIterable<string>,
  { keepFree, inThisThread }: FileOptions = {},
): Promise<void> {
  const side = `${file}${PARTIAL}`
  const folder = path.dirname(file)
  const guard = (source: AsyncIterable<Buffer>) => (keepFree ? keepingFree(keepFree, folder, source) : source)
  const target = createWriteStream(side, { mode: 0o600 })
  try {
    if (inThisThread) await pipeline(Readable.from(compressedBlocks(lines)), guard, target)
    else await pipeline(Readable.from(lines), createGzip(), guard, target)
    await sync(side)
    await putInPlace(side, file)
  } catch (error) {
    await rm(side, { force: true }).catch(() => undefined)
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw noSpace(folder, 0, error)
    throw error
  }
}

/** Blocks that are compressed one by one: a gzip file may consist of several. */
async function* compressedBlocks(lines: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let block = ''
  for await (const line of lines) {
    block += line
    if (block.length < BLOCK_CHARACTERS) continue
    yield gzipSync(block)
    block = ''
  }
  yield gzipSync(block)
}

async function* keepingFree(keepFree: number, folder: string, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let untilCheck = 0
  for await (const chunk of source) {
    untilCheck -= chunk.length
    if (untilCheck <= 0) {
      const { bavail, bsize } = await statfs(folder)
      if (bavail * bsize < keepFree + CHECK_BYTES) throw noSpace(folder, bavail * bsize)
      untilCheck = CHECK_BYTES
    }
    yield chunk
  }
}

function noSpace(folder: string, free: number, cause?: unknown): BackupError {
  const left = Math.floor(free / 1024 ** 2)
  return new BackupError(`There is not enough space for a backup in ${folder}: only ${left} MiB are free.`, { cause })
}

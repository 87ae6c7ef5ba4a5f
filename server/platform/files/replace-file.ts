import { randomUUID } from 'node:crypto'
import { open, rename } from 'node:fs/promises'
import path from 'node:path'

/** Replaces a file, or makes it, in one step: it is never seen half written, also after a power cut. Only its owner may read it. */
export async function replaceFile(file: string, content: string): Promise<void> {
  await putInPlace(await writeBeside(file, content), file)
}

/** Writes `content`, synced, to a new file in the folder of `file`, and returns its path. */
export async function writeBeside(file: string, content: string): Promise<string> {
  const side = `${file}.${randomUUID()}`
  const handle = await open(side, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  return side
}

/** Renames a synced file or folder so that its name survives a power cut. Both paths are in the same folder. */
export async function putInPlace(side: string, target: string): Promise<void> {
  await rename(side, target)
  await sync(path.dirname(target))
}

/** Syncs one file or folder, so that its content, or the names in it, survive a power cut. Windows has no such call for a folder and needs none. */
export async function sync(target: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(target, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

import { statfs } from 'node:fs/promises'

/** Bytes of the disk that a folder is on, and how many of them this user may still write; null where there is no such folder. */
export async function diskOf(folder: string): Promise<{ free: number; size: number } | null> {
  const found = await statfs(folder).catch(() => null)
  return found && { free: found.bavail * found.bsize, size: found.blocks * found.bsize }
}

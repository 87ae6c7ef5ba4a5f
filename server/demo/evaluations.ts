import { cp } from 'node:fs/promises'
import path from 'node:path'

/** Copies the made-up company's evaluation and comparison files to where a server with this data folder reads them. */
export async function seedEvals(dataDir: string): Promise<void> {
  for (const folder of ['evals', 'comparisons']) {
    await cp(path.join(import.meta.dirname, folder), path.join(dataDir, folder), { recursive: true })
  }
}

import type { Import } from '@groundswell/contract/feedback.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { withSides } from '../own-side.ts'
import { fileReader, storedBytes } from './import-file.ts'
import type { ImportRow } from './import-store.ts'
import { matchRows, textChanges } from './match-rows.ts'

const SAMPLES = 5
const SAMPLE_CHARACTERS = 300

/**
 * Compares a stored file with its source and changes nothing: how many stored texts reading it would replace, with the first
 * of them; null when none. Memory grows only with the number of texts that differ.
 */
export async function checkImport(
  services: Pick<Services, 'db'>,
  workspaceId: string,
  row: ImportRow & { connectionId: string },
  signal?: AbortSignal,
): Promise<NonNullable<Import['asks']> | null> {
  const target = { importId: row.id, connectionId: row.connectionId, fileHash: row.fileHash }
  const pages = fileReader().read(
    storedBytes(services, workspaceId, row),
    { name: row.name, ...row.options },
    row.startedAt,
  )
  const replaced = new Set<number>()
  const samples: NonNullable<Import['asks']>['samples'] = []
  for await (const page of withSides(pages, row.ownSide ?? { by: null, authors: [] })) {
    signal?.throwIfAborted()
    const all = page.items.map((item, index) => ({ line: page.lines[index] ?? 0, item }))
    const rows = all.filter(({ item }) => item.role !== 'agent')
    const matched = await inWorkspace(services.db, workspaceId, (tx) =>
      matchRows(tx, workspaceId, target, rows, { importedAt: row.startedAt, lock: false }),
    )
    for (const one of matched) {
      if (!one.stored || !one.written || !textChanges(one) || replaced.has(one.stored.id)) continue
      replaced.add(one.stored.id)
      if (samples.length >= SAMPLES) continue
      samples.push({ line: one.line, before: cut(one.stored.text), after: cut(one.written.text) })
    }
  }
  return replaced.size > 0 ? { replaces: replaced.size, samples } : null
}

const cut = (text: string) => text.slice(0, SAMPLE_CHARACTERS).toWellFormed()

import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { headOf, lineOf, recordOperator, wholeLog } from '../features/audit/index.ts'
import type { Services } from '../platform/services.ts'
import { withInstallation } from './installation.ts'
import { pathOf, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** Prints the audit log of the whole installation, which no admin can see: that of every workspace, and entries without one. */
export function audit(terminal: Terminal, options: { format: string; output?: string }): Promise<void> {
  const { format } = options
  if (format !== 'csv' && format !== 'jsonl') throw new UsageError('--format is csv or jsonl.')
  return withInstallation(terminal, async (services) => {
    const out = options.output ? createWriteStream(pathOf(terminal, options.output), { mode: 0o600 }) : terminal.stdout
    await pipeline(Readable.from(linesOf(services, format)), out, { end: out !== terminal.stdout })
    await recordOperator(services, { action: 'audit.exported', detail: { format } })
  })
}

async function* linesOf(services: Services, format: 'csv' | 'jsonl'): AsyncGenerator<string> {
  yield headOf(format, ['workspace_id'])
  for await (const entry of wholeLog(services)) yield lineOf(format, entry, [entry.workspace_id])
}

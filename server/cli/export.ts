import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { recordOperator } from '../features/audit/index.ts'
import { exportFeedback } from '../features/feedback/index.ts'
import { withInstallation, workspaceOf } from './installation.ts'
import { pathOf, type Terminal } from './terminal.ts'

/** All feedback of a workspace as JSONL, one message per line; `import` reads it. */
export function exportAll(terminal: Terminal, options: { from?: string; output?: string }): Promise<void> {
  return withInstallation(terminal, async (services) => {
    const workspaceId = await workspaceOf(services, options.from, '--from')
    const out = options.output ? createWriteStream(pathOf(terminal, options.output), { mode: 0o600 }) : terminal.stdout
    await pipeline(Readable.from(lines(exportFeedback(services, workspaceId))), out, { end: out !== terminal.stdout })
    await recordOperator(services, { action: 'feedback.exported', workspaceId })
  })
}

async function* lines(rows: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`
}

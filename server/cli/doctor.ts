import { existsSync } from 'node:fs'
import path from 'node:path'
import { counted } from '@groundswell/connectors/kit/text/counted.ts'
import { checkHosted } from '../auth/index.ts'
import { boot } from '../boot.ts'
import { checkBackups } from '../features/backup/index.ts'
import { checkDatabase, checkFolder, checkSettings, type Finding } from '../features/checkup/index.ts'
import { checkEmbeddings, checkEncoder } from '../features/embeddings/index.ts'
import { checkModel } from '../features/models/index.ts'
import { checkWorker } from '../features/monitoring/index.ts'
import { readConfig } from '../platform/config/config.ts'
import type { Terminal } from './terminal.ts'

const marks = { ok: 'ok     ', notice: 'notice ', problem: 'PROBLEM' } as const

/** Checks everything an installation depends on and reports problems. Exits with 1 if there is one. */
export async function doctor(terminal: Terminal): Promise<void> {
  const findings: Finding[] = []
  const config = readConfig(terminal.env)
  const built = existsSync(path.resolve(import.meta.dirname, '../../web/dist/index.html'))
  findings.push(...checkSettings(config, { built }), ...(await checkFolder(config)))
  try {
    const { services, stop } = await boot({ ...config, logLevel: 'fatal' })
    try {
      findings.push(
        ...(await checkDatabase(services.db)),
        ...(await checkWorker(services)),
        ...(await checkBackups(services)),
        ...(await checkHosted(services)),
        ...(await checkModel(services)),
        ...(await checkEncoder(services)),
        ...(await checkEmbeddings(services)),
      )
      const dead = await services.queue.dead.list()
      findings.push(
        dead.length === 0
          ? { state: 'ok', what: 'No background jobs have failed.' }
          : {
              state: 'problem',
              what: `${dead.length} background jobs failed.`,
              advice: 'An admin sees them in the web app and can run them again.',
            },
      )
    } finally {
      await stop()
    }
  } catch (error) {
    findings.push({ state: 'problem', what: error instanceof Error ? error.message : String(error) })
  }
  for (const { state, what, advice } of findings) {
    terminal.stdout.write(`${marks[state]} ${what}${advice ? `\n        → ${advice}` : ''}\n`)
  }
  const problems = findings.filter((finding) => finding.state === 'problem').length
  terminal.stdout.write(problems === 0 ? '\nNo problems found.\n' : `\n${counted(problems, 'problem')}.\n`)
  terminal.exitCode = problems === 0 ? 0 : 1
}

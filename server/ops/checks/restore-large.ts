import { stat } from 'node:fs/promises'
import path from 'node:path'
import { type Report, runCheck, seconds } from '../check.ts'
import { groundswell } from '../command.ts'
import { contentsOf, emptyInstallation, fillInstallation, privateServer } from '../installations.ts'
import { temporaryFolder } from '../temporary-folder.ts'

// A backup file of 1 GB is written and restored once.

const BYTES = 1e9
/** Messages of this length make a file of a little more than 1 GB. */
const SIZE = { items: 460_000, textBytes: 4_000 }
const HANGS_MS = 3_600_000

async function timed(report: Report, what: string, args: string[], env: Record<string, string>): Promise<void> {
  const started = performance.now()
  const { code, output } = await groundswell(args, env, HANGS_MS)
  report.figure(`${what} took ${seconds(performance.now() - started)}`)
  report.require(code === 0, `the ${what} succeeds (${code ?? 'hung'}: ${output})`)
}

await runCheck('restore-large', async (report) => {
  const folder = temporaryFolder(report)
  const ownerUrl = await privateServer(report, path.join(folder, 'server'))
  const source = await emptyInstallation(ownerUrl, 'source')
  await fillInstallation(source, SIZE)
  const file = path.join(folder, 'large.gz')
  await timed(report, 'backup', ['backup', file], { DATABASE_URL: source, GROUNDSWELL_DATA: folder })
  const { size } = await stat(file)
  report.figure(`a file of ${(size / 1e9).toFixed(2)} GB`)
  report.require(size >= BYTES, 'the file has at least 1 GB')
  const target = await emptyInstallation(ownerUrl, 'target')
  await timed(report, 'restore', ['restore', file], { DATABASE_URL: target, GROUNDSWELL_DATA: path.join(folder, 'to') })
  report.require((await contentsOf(target)) === (await contentsOf(source)), 'the contents are the same')
})

import { stat } from 'node:fs/promises'
import path from 'node:path'
import { withDatabase } from '../../platform/db/connection.ts'
import { startEmbedded } from '../../platform/db/embedded/server.ts'
import { proxyTo } from '../../platform/db/test-proxy.ts'
import { silentLog } from '../../platform/log/log.ts'
import { type Report, runCheck, seconds } from '../check.ts'
import { groundswell } from '../command.ts'
import { contentsOf, emptyInstallation, fillInstallation, privateServer } from '../installations.ts'
import { temporaryFolder } from '../temporary-folder.ts'

// A good backup is restored each time, whatever its size and however slow the connection, also into the private database, and a restore never hangs.

const TIMES = 20
const LATENCIES_MS = [0, 40, 200]
/** The messages of each backup and how often it is restored: about 30 KB, 1 MB and 10 MB. */
const SIZES = [
  { items: 20, times: 10 },
  { items: 4_000, times: 6 },
  { items: 44_000, times: 4 },
]
const LARGEST_BYTES = 10e6
const PRIVATE_TIMES = 3
/** The longest restore here takes a fraction of it: one that takes longer hangs. */
const HANGS_MS = 600_000

type Backup = { file: string; contents: string; times: number }

async function backups(report: Report, folder: string, ownerUrl: string): Promise<Backup[]> {
  const made: Backup[] = []
  for (const { items, times } of SIZES) {
    const database = await emptyInstallation(ownerUrl, `source_${items}`)
    await fillInstallation(database, { items, textBytes: 450 })
    const file = path.join(folder, `${items}.gz`)
    const { code, output } = await groundswell(['backup', file], { DATABASE_URL: database, GROUNDSWELL_DATA: folder })
    if (code !== 0) throw new Error(`the backup failed: ${output}`)
    const { size } = await stat(file)
    report.say(`a backup of ${items} messages has ${(size / 1e6).toFixed(2)} MB`)
    if (items === SIZES.at(-1)?.items) report.require(size >= LARGEST_BYTES, 'the largest has at least 10 MB')
    made.push({ file, contents: await contentsOf(database), times })
  }
  return made
}

await runCheck('restore', async (report) => {
  const folder = temporaryFolder(report)
  const ownerUrl = await privateServer(report, path.join(folder, 'server'))
  const files = await backups(report, folder, ownerUrl)
  for (const latency of LATENCIES_MS) {
    // A round trip takes the latency: half of it in each direction.
    const slow = await proxyTo(ownerUrl, latency / 2)
    const took: number[] = []
    let good = 0
    let number = 0
    for (const { file, contents, times } of files) {
      for (let time = 0; time < times; time += 1) {
        number += 1
        const name = `to_${latency}_${number}`
        const target = await emptyInstallation(ownerUrl, name)
        const started = performance.now()
        const { code, output } = await groundswell(
          ['restore', file],
          { DATABASE_URL: withDatabase(slow.url, name), GROUNDSWELL_DATA: path.join(folder, name) },
          HANGS_MS,
        )
        took.push(performance.now() - started)
        if (code === 0 && (await contentsOf(target)) === contents) good += 1
        else report.say(`restore ${number} of ${path.basename(file)} at ${latency} ms: ${code ?? 'hung'}: ${output}`)
      }
    }
    await slow.close()
    report.figure(`${good} of ${TIMES} at ${latency} ms, the longest in ${seconds(Math.max(...took))}`)
    report.require(good === TIMES, `${TIMES} of ${TIMES} restores succeed at ${latency} ms`)
  }
  await restorePrivately(report, folder, files)
})

/** Each file into the private database of a new data folder, which the command starts and stops. */
async function restorePrivately(report: Report, folder: string, files: readonly Backup[]): Promise<void> {
  let good = 0
  for (const [at, { file, contents }] of files.entries()) {
    for (let time = 1; time <= PRIVATE_TIMES; time += 1) {
      const data = path.join(folder, `private-${at}-${time}`)
      const { code, output } = await groundswell(['restore', file], { GROUNDSWELL_DATA: data }, HANGS_MS)
      const server = code === 0 ? await startEmbedded({ dataDir: data, log: silentLog() }) : undefined
      if (server && (await contentsOf(server.ownerUrl)) === contents) good += 1
      else report.say(`restore ${time} of ${path.basename(file)} into a private database: ${code ?? 'hung'}: ${output}`)
      await server?.stop()
    }
  }
  const all = PRIVATE_TIMES * files.length
  report.figure(`${good} of ${all} into a private database`)
  report.require(good === all, `${all} of ${all} restores into a private database succeed`)
}

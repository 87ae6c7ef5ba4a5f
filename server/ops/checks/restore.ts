import { stat } from 'node:fs/promises'
import path from 'node:path'
import { withDatabase } from '../../platform/db/connection.ts'
import { proxyTo } from '../../platform/db/test-proxy.ts'
import { type Report, runCheck, seconds } from '../check.ts'
import { groundswell } from '../command.ts'
import { contentsOf, emptyInstallation, fillInstallation, privateServer } from '../installations.ts'
import { temporaryFolder } from '../temporary-folder.ts'

// A good backup is restored each time, whatever its size and however slow the connection, and a restore never hangs.

const TIMES = 20
const LATENCIES_MS = [0, 40, 200]
/** The messages of each backup and how often it is restored: about 30 KB, 1 MB and 10 MB. */
const SIZES = [
  { items: 20, times: 10 },
  { items: 4_000, times: 6 },
  { items: 40_000, times: 4 },
]
/** The longest restore here takes a fraction of it: one that takes longer hangs. */
const HANGS_MS = 600_000

async function backups(report: Report, folder: string, ownerUrl: string) {
  const made: { file: string; contents: string; times: number }[] = []
  for (const { items, times } of SIZES) {
    const database = await emptyInstallation(ownerUrl, `source_${items}`)
    await fillInstallation(database, { items, textBytes: 450 })
    const file = path.join(folder, `${items}.gz`)
    const { code, output } = await groundswell(['backup', file], { DATABASE_URL: database, GROUNDSWELL_DATA: folder })
    if (code !== 0) throw new Error(`the backup failed: ${output}`)
    report.say(`a backup of ${items} messages has ${((await stat(file)).size / 1e6).toFixed(2)} MB`)
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
})

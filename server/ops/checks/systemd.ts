import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { runCheckAlone } from '../check.ts'
import { documented } from '../documented.ts'
import { temporaryFolder } from '../temporary-folder.ts'

// systemd accepts the units of docs/deployment/systemd and finds what they start, with this checkout in place of /opt/groundswell.

const UNITS = ['groundswell.service', 'groundswell-serve.service', 'groundswell-worker.service']
/** From 0, all locked, to 10, nothing locked. */
const MAX_EXPOSURE = 5

const root = path.resolve(import.meta.dirname, '../../..')

await runCheckAlone('systemd', ['systemd'], async (report, debian) => {
  const folder = temporaryFolder(report)
  const analyze = (args: readonly string[]) =>
    spawnSync(debian.find('systemd-analyze'), args, { encoding: 'utf8', env: { ...process.env, ...debian.env } })
  for (const name of UNITS) {
    const file = path.join(folder, name)
    // A user that every Debian has instead of the one that only an installation has.
    writeFileSync(
      file,
      documented(`../deployment/systemd/${name}`, { '/opt/groundswell': root, 'User=groundswell': 'User=www-data' }),
    )
    const { status, stdout, stderr } = analyze(['verify', '--man=no', file])
    const complaints = `${stdout}${stderr}`.split('\n').filter((line) => line.includes(name))
    report.require(status === 0 && complaints.length === 0, `${name} is accepted: ${complaints.join(' ')}`)
    const started = /^ExecStart=(\S+) (\S+)/m.exec(documented(`../deployment/systemd/${name}`)) ?? []
    report.require(started[2]?.startsWith('server/') === true, `${name} starts ${started[2]}`)
    const security = analyze(['security', '--offline=yes', `--threshold=${MAX_EXPOSURE * 10}`, file])
    const exposure = /Overall exposure level[^:]*: ([\d.]+)/.exec(security.stdout)?.[1] ?? 'unknown'
    report.figure(`${name}: exposure ${exposure}`)
    report.require(Number(exposure) <= MAX_EXPOSURE, `${name} has an exposure of at most ${MAX_EXPOSURE}`)
  }
})

import { execFileSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { startImport } from '@groundswell/contract/feedback.ts'
import { seeded } from '../../faults/random.ts'
import { Stack } from '../../faults/stack.ts'
import { asFile, topicRows } from '../../faults/topic-rows.ts'
import { until } from '../../faults/until.ts'
import { type Report, runCheck } from '../check.ts'
import { groundswell } from '../command.ts'
import { temporaryFolder } from '../temporary-folder.ts'

// A process on the private database backs it up automatically, keeps as many files as it should, and reports a full disk; the newest backup
// can be restored.

const KEEP = 2

/** What the scheduler sends at the configured hour. */
const SEND = `insert into queue.job (name, data, group_id, heartbeat_seconds, retry_limit, expire_seconds)
  select name, '{}', 'all', heartbeat_seconds, retry_limit, expire_seconds from queue.queue where name = 'scheduled-backup'`

/** The lowest priority among the threads of a process. */
async function nicestThread(pid: number): Promise<number> {
  const tasks = await readdir(`/proc/${pid}/task`)
  const stats = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/stat`, 'utf8').catch(() => '')),
  )
  return Math.max(...stats.map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16] ?? 0)))
}

/** Makes a folder a disk of 64 MiB, and returns a folder on it. */
function smallDisk(report: Report, folder: string): string {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder])
  report.onEnd(() => execFileSync('umount', ['-l', folder]))
  return path.join(folder, 'backups')
}

await runCheck('scheduled-backups', async (report) => {
  const stack = await Stack.start(['all-in-one'], [], { BACKUP_KEEP: String(KEEP) })
  report.onEnd(() => stack.stop())
  await stack.furnish()
  const rows = topicRows(seeded(3), 'backups')
  await stack.client.call(startImport, { query: { name: 'a.jsonl' }, raw: asFile(rows) })
  await until('the import', async () => {
    const [found] = await stack.query<{ n: string }>('select count(*) as n from feedback_item')
    return Number(found?.n) === rows.length || undefined
  })
  const [schedule] = await stack.query<{ cron: string }>(
    `select cron from queue.schedule where name = 'scheduled-backup'`,
  )
  report.require(schedule?.cron === '0 3 * * *', 'backups are scheduled without any setting')

  const folder = path.join(stack.folder, 'data', 'backups')
  const [child] = stack.children('all-in-one')
  let nicest = 0
  for (let time = 1; time <= KEEP + 1; time += 1) {
    await stack.query(SEND)
    await until(
      'a backup',
      async () => {
        nicest = Math.max(nicest, await nicestThread(child?.pid ?? 0))
        return child?.output.match(/a backup was written/g)?.length === time || undefined
      },
      { everyMs: 5 },
    )
  }
  const files = await readdir(folder)
  report.require(
    files.length === KEEP && files.every((name) => name.endsWith('Z.gz')),
    `${KEEP} files are kept: ${files.join(', ')}`,
  )
  report.require(nicest === 19, `they are written by a thread of the lowest priority (${nicest})`)

  const env = { GROUNDSWELL_DATA: path.join(stack.folder, 'data') }
  const drill = await groundswell(['backup', 'drill'], env)
  report.require(
    drill.code === 0 && /can be restored: \d+ rows/.test(drill.output),
    `a drill succeeds: ${drill.output}`,
  )
  const doctor = await groundswell(['doctor'], env)
  report.require(
    /The newest of 2 backups in \S+ is 0 h old/.test(doctor.output),
    'doctor reports the age of the newest',
  )

  const disk = temporaryFolder(report)
  const full = await Stack.start(['all-in-one'], [], { BACKUP_FOLDER: smallDisk(report, disk) })
  report.onEnd(() => full.stop())
  await full.query(SEND)
  const [product] = full.children('all-in-one')
  await until('the refusal', () => /There is not enough space for a backup in/.test(product?.output ?? '') || undefined)
  report.require(
    (await readdir(disk, { recursive: true })).every((name) => !name.includes('groundswell-')),
    'nothing is left on a full disk',
  )
  report.require((await fetch(`${full.client.base}/api/health`)).ok, 'the installation works on')
})

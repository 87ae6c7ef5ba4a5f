import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../../faults/until.ts'
import { runCheck, seconds } from '../check.ts'
import { groundswell } from '../command.ts'
import { fromDebian } from '../debian.ts'
import { documented, settingsIn } from '../documented.ts'
import { contentsOf, fillInstallation } from '../installations.ts'
import { Postgres, SERVER_USER } from '../postgres.ts'
import { giveTo, runProgram } from '../program.ts'
import { temporaryFolder } from '../temporary-folder.ts'

// With pgBackRest as documented: a full backup, WAL archiving, and a restore into a second folder as of a point in time, within a second.

const WRITES = 60
const PAUSE_MS = 100

await runCheck('pgbackrest', async (report) => {
  const debian = fromDebian(['postgresql', 'pgbackrest'])
  const folder = temporaryFolder(report)
  giveTo(SERVER_USER, folder)
  for (const name of ['repository', 'log', 'lock', 'spool']) {
    mkdirSync(path.join(folder, name))
    giveTo(SERVER_USER, path.join(folder, name))
  }
  const config = path.join(folder, 'pgbackrest.conf')
  const places = {
    '/var/lib/pgbackrest': path.join(folder, 'repository'),
    '/var/lib/postgresql/15/main': path.join(folder, 'first/data'),
  }
  const local = ['log-path=log', 'lock-path=lock', 'spool-path=spool'].map((line) => line.replace('=', `=${folder}/`))
  const first = ['pg1-port=5401', `pg1-socket-path=${folder}/first`, 'pg1-user=admin', 'pg1-database=postgres']
  writeFileSync(
    config,
    documented('pgbackrest.conf', places)
      .replace('[global]', ['[global]', ...local].join('\n'))
      .replace('[groundswell]', ['[groundswell]', ...first].join('\n')),
  )
  const pgbackrest = (...args: string[]) =>
    runProgram([debian.find('pgbackrest'), `--config=${config}`, '--stanza=groundswell', ...args], {
      env: debian.env,
      user: SERVER_USER,
    })
  const archive = settingsIn(
    documented('postgresql-archive.conf', { 'pgbackrest --': `${debian.find('pgbackrest')} --config=${config} --` }),
  )

  const server = await Postgres.create(report, debian, {
    folder: path.join(folder, 'first'),
    port: 5401,
    settings: { wal_level: 'replica', max_wal_senders: 3, ...archive },
  })
  const migrated = await groundswell(['migrate'], { ...server.addresses, GROUNDSWELL_DATA: folder })
  report.require(migrated.code === 0, `the database is migrated: ${migrated.output.split('\n')[0]}`)
  await fillInstallation(server.url('admin'), { items: 5_000, textBytes: 450 })
  pgbackrest('stanza-create')
  pgbackrest('check')
  const started = performance.now()
  pgbackrest('--type=full', 'backup')
  report.figure(`full backup in ${seconds(performance.now() - started)}`)

  await server.query('create table written (at timestamptz not null)')
  for (let write = 0; write < WRITES; write += 1) {
    await server.query('insert into written values (clock_timestamp())')
    await pause(PAUSE_MS)
  }
  const [middle] = await server.query<{ at: string }>(
    `select (min(at) + (max(at) - min(at)) / 2)::text as at from written`,
  )
  await server.query('select pg_switch_wal()')
  const contents = await contentsOf(server.url('admin'))
  pgbackrest('check')

  const restoring = performance.now()
  const second = path.join(folder, 'second')
  mkdirSync(path.join(second, 'data'), { recursive: true, mode: 0o700 })
  giveTo(SERVER_USER, second)
  giveTo(SERVER_USER, path.join(second, 'data'))
  pgbackrest(`--pg1-path=${second}/data`, '--type=time', `--target=${middle?.at}`, '--target-action=promote', 'restore')
  const restored = new Postgres(report, debian, { folder: second, port: 5402, settings: { archive_mode: 'off' } })
  await restored.start()
  // It answers queries as a standby before it has replayed everything.
  await until('the restored server to be promoted', async () => {
    const [row] = await restored.query<{ recovering: boolean }>('select pg_is_in_recovery() as recovering')
    return row?.recovering === false || undefined
  })
  report.figure(`restore into a second folder in ${seconds(performance.now() - restoring)}`)
  const target = `'${middle?.at}'::timestamptz`
  const early = `select count(*)::int as n from written where at <= ${target} - interval '1 second'`
  const late = `select count(*)::int as n from written where at > ${target}`
  const [before, kept, after] = await Promise.all([server.query(early), restored.query(early), restored.query(late)])
  report.figure(
    `${kept[0]?.n} of ${before[0]?.n} rows written up to 1 s before the point in time, ${after[0]?.n} later ones`,
  )
  report.require(
    before[0]?.n > 0 && kept[0]?.n === before[0]?.n && after[0]?.n === 0,
    'the restored state is that of the point in time, within 1 s',
  )
  report.require((await contentsOf(restored.url('admin'))) === contents, 'the messages are the same')
  const doctor = await groundswell(['doctor'], {
    ...restored.addresses,
    GROUNDSWELL_DATA: folder,
  })
  report.require(
    doctor.output.includes('The database isolates workspaces.'),
    'the product works on the restored server',
  )
  report.require((await server.query('select 1 as one')).length === 1, 'the first server was not touched')
})

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { silentLog } from '../../log/log.ts'
import { proves } from '../../proves.ts'
import { openConnection } from '../testing.ts'
import { readPidFile } from './folder.ts'
import { alive } from './process.ts'
import { type EmbeddedServer, startEmbedded } from './server.ts'

const isRoot = process.getuid?.() === 0

// Each makes a database of its own, and some start it several times.
vi.setConfig({ testTimeout: 240_000 })

let dataDir: string
let root: string
const servers: EmbeddedServer[] = []
const children: ChildProcess[] = []

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'groundswell-embedded-'))
  dataDir = join(root, 'data')
})

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await Promise.all(servers.splice(0).map((server) => server.stop()))
  const left = await readPidFile(join(dataDir, 'postgres', 'data'))
  if (left && alive(left.pid)) {
    const server = await startEmbedded({ dataDir, log: silentLog() })
    await server.stop()
  }
  await rm(root, { recursive: true, force: true })
})

async function start(): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataDir, log: silentLog() })
  servers.push(server)
  return server
}

async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = await openConnection(url)
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

interface Said {
  pid?: number
  ownerUrl?: string
  error?: string
}

/** A process that uses the server, and its output once it does. */
function startParent(options: { watched?: boolean; through?: string[] } = {}): {
  child: ChildProcess
  said: Promise<Said>
} {
  const through = options.through ?? []
  const program = through[0] ?? process.execPath
  const rest = through.length > 0 ? [...through.slice(1), process.execPath] : []
  const script = fileURLToPath(new URL('./test-parent.ts', import.meta.url))
  const child = spawn(program, [...rest, script, dataDir, ...(options.watched ? ['watched'] : [])], {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: '/',
  })
  children.push(child)
  const said = new Promise<Said>((done, fail) => {
    let text = ''
    child.stdout?.on('data', (part: Buffer) => {
      text += part.toString()
      if (text.includes('\n')) done(JSON.parse(text) as Said)
    })
    child.on('exit', () => fail(new Error(`the process ended and said: ${text}`)))
    child.on('error', fail)
  })
  said.catch(() => undefined)
  return { child, said }
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** Until the server has noticed that its other users were killed: a stop waits only a moment for that. */
async function alone({ ownerUrl }: EmbeddedServer): Promise<void> {
  const users = () => ask(ownerUrl, `select from pg_stat_activity where application_name = 'groundswell hold'`)
  await expect.poll(users).toHaveLength(1)
}

/** The processes that make a database in the data folder. Only Linux lists them. */
async function initdbs(): Promise<string[]> {
  if (process.platform !== 'linux') return []
  const folders = (await readdir('/proc'))
    .filter((name) => /^\d+$/.test(name) && alive(Number(name)))
    .map((name) => readlink(`/proc/${name}/cwd`).catch(() => ''))
  return (await Promise.all(folders)).filter((folder) => folder.startsWith(join(dataDir, 'postgres', 'initdb-')))
}

describe('a server', () => {
  test('keeps its data over stops, listens on a private socket alone, and is the app’s without power', async () => {
    proves('13.2.3')
    const first = await start()
    await ask(
      first.ownerUrl,
      `create table kept (word text); insert into kept values ('ŏ 🌊');
      grant select on kept to groundswell_app`,
    )
    const [settings] = await ask(
      first.ownerUrl,
      `select current_setting('listen_addresses') as tcp, current_setting('fsync') as fsync,
         current_setting('server_encoding') as encoding, current_setting('unix_socket_directories') as socket`,
    )
    expect(settings).toMatchObject({ tcp: '', fsync: 'on', encoding: 'UTF8' })
    expect((await stat(String(settings?.socket))).mode & 0o777).toBe(0o700)
    expect((await stat(join(dataDir, 'postgres', 'data'))).mode & 0o777).toBe(0o700)
    await first.stop()
    expect(alive(first.pid)).toBe(false)
    const second = await start()
    expect(await ask(second.appUrl, 'select * from kept')).toEqual([{ word: 'ŏ 🌊' }])
    await expect(ask(second.appUrl, 'create table mine ()')).rejects.toThrow(/permission denied/)
  })

  test('is shared by all processes that start it at once, and stopped by the last', async () => {
    const all = await Promise.all([start(), start(), start()])
    expect(new Set(all.map((server) => server.pid)).size).toBe(1)
    await all[0]?.stop()
    await all[1]?.stop()
    expect(await ask(all[2]?.ownerUrl ?? '', 'select 1 as one')).toEqual([{ one: 1 }])
    await all[2]?.stop()
    expect(alive(all[2]?.pid ?? 0)).toBe(false)
  })

  test('starts over a lock file that a crash left empty, once no other server can be writing it', async () => {
    await (await start()).stop()
    await writeFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), '')
    const server = await start()
    expect(await ask(server.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('can be stopped and started at the same moment, over and over', async () => {
    let current = await start()
    for (let round = 0; round < 5; round += 1) {
      const [, next] = await Promise.all([current.stop(), start()])
      expect(await ask(next.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }])
      current = next
    }
  })
})

describe('kill -9', () => {
  test('of the database: it restarts automatically, with everything that was acknowledged', async () => {
    const server = await start()
    await ask(server.ownerUrl, 'create table kept (n int)')
    for (let round = 1; round <= 3; round += 1) {
      await ask(server.ownerUrl, `insert into kept values (${round})`)
      const before = server.pid
      process.kill(before, 'SIGKILL')
      await expect.poll(() => server.pid !== before && alive(server.pid)).toBe(true)
      expect(await ask(server.ownerUrl, 'select count(*)::int as count from kept')).toEqual([{ count: round }])
    }
  })

  test('of the process that started it: the next start adopts it', async () => {
    const { child, said } = startParent()
    const { pid = 0, ownerUrl = '' } = await said
    await ask(ownerUrl, 'create table kept (n int)')
    await kill(child)
    expect(alive(pid)).toBe(true)
    const server = await start()
    expect(server.pid).toBe(pid)
    expect(await ask(server.ownerUrl, 'select * from kept')).toEqual([])
    await alone(server)
    await server.stop()
    expect(alive(pid)).toBe(false)
  })

  test('of the process that started it, while another uses it: that one stops it in the end', async () => {
    const { child, said } = startParent()
    const { pid = 0 } = await said
    const server = await start()
    await kill(child)
    expect(await ask(server.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }])
    await alone(server)
    await server.stop()
    expect(alive(pid)).toBe(false)
  })

  test('of a process that was to take the server with it: the server stops', async () => {
    const { child, said } = startParent({ watched: true })
    const { pid = 0 } = await said
    await kill(child)
    await expect.poll(() => alive(pid)).toBe(false)
  })

  test('at any moment of the first start: the next one needs no hand and leaves no rubbish', async () => {
    for (const milliseconds of [150, 350, 550, 750, 1000]) {
      const { child, said } = startParent()
      await Promise.race([said, new Promise((done) => setTimeout(done, milliseconds))])
      await kill(child)
    }
    const server = await start()
    await ask(server.ownerUrl, 'create table kept (n int)')
    await server.stop()
    // What a killed process began to make is removed by the next start after its initdb has ended.
    await expect.poll(initdbs).toEqual([])
    const again = await start()
    const orphans = (await readdir(join(dataDir, 'postgres'))).filter((name) => name.startsWith('initdb-'))
    expect(await ask(again.appUrl, 'select current_user as name')).toEqual([{ name: 'groundswell_app' }])
    expect(orphans).toEqual([])
  })

  test('leaves a pid file whose number may be another process by now: it is not believed', async () => {
    const first = await start()
    await first.stop()
    const file = join(dataDir, 'postgres', 'data', 'postmaster.pid')
    await writeFile(file, `${process.pid}\n/proc/self/cwd\n0\n5432\n/tmp\n\n\nready   \n`)
    const second = await start()
    expect(second.pid).not.toBe(process.pid)
  })

  test('or a deletion of its socket: a server that cannot be reached is replaced', async () => {
    const { child, said } = startParent()
    const { pid = 0, ownerUrl = '' } = await said
    const socketFolder = new URL(ownerUrl).searchParams.get('host') ?? ''
    await kill(child)
    await rm(join(socketFolder, '.s.PGSQL.5432'))
    const server = await start()
    expect(server.pid).not.toBe(pid)
    expect(alive(pid)).toBe(false)
  })
})

describe.runIf(isRoot)('as root', () => {
  test('takes a 0700 folder below another one, and runs as another user', async () => {
    await chmod(root, 0o700)
    await mkdir(dataDir, { mode: 0o700 })
    const server = await start()
    const { uid } = await stat(`/proc/${server.pid}`)
    expect(uid).not.toBe(0)
    expect((await stat(join(dataDir, 'postgres', 'data'))).uid).toBe(uid)
    expect([(await stat(root)).mode & 0o777, (await stat(dataDir)).mode & 0o777]).toEqual([0o700, 0o700])
  })

  test('without the right to become another user it reports that, with the remedy', async () => {
    const { said } = startParent({ through: ['setpriv', '--bounding-set=-setuid,-setgid'] })
    const { error } = await said
    expect(error).toMatch(/root but may not become the user \w+ \(no CAP_SETUID/)
    expect(error).toContain('DATABASE_URL')
  })

  test('an ordinary user needs no rights at all; one without a name gets an error', async () => {
    await chmod(root, 0o755)
    await mkdir(dataDir)
    await chown(dataDir, 65_534, 65_534)
    const nobody = startParent({ through: ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] })
    const { pid = 0 } = await nobody.said
    expect((await stat(`/proc/${pid}`)).uid).toBe(65_534)
    nobody.child.stdin?.write('stop\n')
    await once(nobody.child, 'exit')
    expect(alive(pid)).toBe(false)

    const other = startParent({ through: ['setpriv', '--reuid=54321', '--regid=54321', '--clear-groups'] })
    expect((await other.said).error).toMatch(/cannot be|belongs to nobody/)
    dataDir = join(root, 'nameless')
    await mkdir(dataDir)
    await chown(dataDir, 54_321, 54_321)
    const nameless = startParent({ through: ['setpriv', '--reuid=54321', '--regid=54321', '--clear-groups'] })
    expect((await nameless.said).error).toMatch(/has no name on this system/)
  })
})

import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import type { Report } from './check.ts'
import type { Debian } from './debian.ts'
import { documented } from './documented.ts'
import { SERVER_USER } from './postgres.ts'
import { giveTo, Program } from './program.ts'

const PORT = 6432

type PoolerOptions = {
  folder: string
  /** The port of the server on this machine. */
  serverPort: number
  /** Users that may sign in, without a password. */
  users: readonly string[]
  /** Additional settings. */
  settings?: Readonly<Record<string, string>>
  /** Lead every database to the server, under its own name. */
  everyDatabase?: boolean
}

/** PgBouncer as documented, on this machine and without passwords. Returns the address of a database for a user. */
export async function startPooler(
  report: Report,
  debian: Debian,
  { folder, serverPort, users, settings = {}, everyDatabase = false }: PoolerOptions,
): Promise<{ urlOf: (user: string, database?: string) => string; stop: () => Promise<void> }> {
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const list = path.join(folder, 'users.txt')
  writeFileSync(list, users.map((user) => `"${user}" ""\n`).join(''))
  const config = path.join(folder, 'pgbouncer.ini')
  const extra = Object.entries({ unix_socket_dir: '', ...settings }).map(([name, value]) => `${name} = ${value}\n`)
  const text = documented('pgbouncer.ini', {
    'host=10.77.0.1 port=5432': `host=127.0.0.1 port=${serverPort}`,
    'auth_type = scram-sha-256': 'auth_type = trust',
    '/etc/pgbouncer/userlist.txt': list,
  })
  const database = everyDatabase ? `* = host=127.0.0.1 port=${serverPort}\n` : ''
  writeFileSync(config, `${text.replace('[pgbouncer]', `${database}\n[pgbouncer]`)}\n${extra.join('')}`)
  for (const file of [folder, list, config]) giveTo(SERVER_USER, file)
  const urlOf = (user: string, name = 'groundswell') => `postgresql://${user}@127.0.0.1:${PORT}/${name}`
  const program = new Program(report, [debian.find('pgbouncer'), config], {
    env: debian.env,
    user: SERVER_USER,
    cwd: folder,
  })
  await program.ready(async () => {
    const client = new pg.Client({
      connectionString: urlOf(users[0] ?? '', everyDatabase ? 'postgres' : 'groundswell'),
    })
    client.on('error', () => undefined)
    await client.connect()
    await client.end()
    return true
  })
  return { urlOf, stop: () => program.stop('SIGTERM') }
}

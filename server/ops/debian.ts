import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Where Debian's packages are unpacked. Nothing is installed: no service starts, and deleting the folder removes everything. */
const FOLDER = '/var/cache/groundswell/debian'

/** The packages of each program. `python3-etcd`: how Patroni talks to etcd. */
const PACKAGES = {
  postgresql: ['postgresql-15', 'postgresql-client-15'],
  pgbouncer: ['pgbouncer'],
  pgbackrest: ['pgbackrest'],
  haproxy: ['haproxy'],
  etcd: ['etcd-server'],
  patroni: ['patroni', 'python3-etcd'],
  systemd: ['systemd'],
  prometheus: ['prometheus'],
  nginx: ['nginx-light'],
  caddy: ['caddy'],
  mmdebstrap: ['mmdebstrap'],
} as const

/** A program of these packages. */
export type DebianProgram = keyof typeof PACKAGES

/** Unpacked packages: where their programs are, and the environment in which they run. */
export type Debian = {
  /** The full path of a program. */
  find: (name: string) => string
  /** What programs need to find their libraries, and each other. */
  env: Record<string, string>
}

/**
 * Unpacks what these programs need from Debian's packages, once. Throws with the reason where it cannot: on another system than Debian, for an
 * ordinary user, or without a package server.
 */
export function fromDebian(programs: readonly DebianProgram[]): Debian {
  if (process.getuid?.() !== 0) throw new Error('this check needs root: it unpacks Debian packages and starts servers')
  if (!existsSync('/usr/bin/apt-get')) throw new Error("this check needs Debian's packages, and there is no apt-get")
  mkdirSync(FOLDER, { recursive: true, mode: 0o755 })
  chmodSync(path.dirname(FOLDER), 0o755)
  for (const program of programs) unpack(program)
  const within = (folder: string) => path.join(FOLDER, folder)
  const libraries = readdirSync(within('usr/lib')).filter((name) => name.endsWith('-linux-gnu'))
  const folders = ['usr/lib/postgresql/15/bin', 'usr/bin', 'usr/sbin'].map(within)
  return {
    env: {
      PATH: [...folders, process.env.PATH ?? ''].join(':'),
      LD_LIBRARY_PATH: libraries.map((name) => within(`usr/lib/${name}`)).join(':'),
      PYTHONPATH: within('usr/lib/python3/dist-packages'),
      LC_ALL: 'C.UTF-8',
    },
    find(name) {
      const file = folders.map((folder) => path.join(folder, name)).find((candidate) => existsSync(candidate))
      if (file === undefined) throw new Error(`Debian's packages hold no ${name}`)
      return file
    },
  }
}

function unpack(program: DebianProgram): void {
  const done = path.join(FOLDER, `.${program}`)
  if (existsSync(done)) return
  const archives = path.join(FOLDER, '.archives')
  rmSync(archives, { recursive: true, force: true })
  mkdirSync(path.join(archives, 'partial'), { recursive: true })
  const options = ['-qq', '-y', '--no-install-recommends', '--reinstall', '-o', `Dir::Cache::archives=${archives}`]
  run('apt-get', ['-qq', 'update'])
  run('apt-get', [...options, '--download-only', 'install', ...PACKAGES[program]])
  for (const name of readdirSync(archives).filter((file) => file.endsWith('.deb'))) {
    execFileSync('dpkg-deb', ['--extract', path.join(archives, name), FOLDER])
  }
  rmSync(archives, { recursive: true, force: true })
  writeFileSync(done, '')
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.at(-1)} failed: ${stderr.trim().split('\n').at(-1)}`)
}

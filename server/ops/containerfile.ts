import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')

type Instruction = { name: string; text: string }

/** The instructions of a Containerfile, in order; continued lines are joined, comments left out. Throws for a line that is not an instruction. */
export function instructionsIn(file: string): Instruction[] {
  const lines = file
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  return lines.map((line) => {
    const [, name, text] = /^([A-Z]+)\s+(.+)$/.exec(line.trim()) ?? []
    if (name === undefined || text === undefined) throw new Error(`not an instruction: ${line}`)
    return { name, text }
  })
}

/** What an image says about how it is run. `command` and `healthcheck`: programs with their arguments. */
export type Image = {
  root: string
  folder: string
  env: Record<string, string>
  user: string
  volumes: string[]
  command: string[]
  healthcheck: string[]
}

/** What a build needs from outside of its file. */
export type Build = {
  /** Holds the stages, one folder each. */
  folder: string
  /** The root file system of the base image by its name. Its content is copied. */
  base: (name: string) => string
  /** Called before each instruction. */
  say: (line: string) => void
}

/**
 * Builds the image of a Containerfile from the files of this checkout: each instruction is carried out as a builder does, RUN as root in the root
 * file system of its stage, with the network of `process.ppid`. Knows the instructions that ours uses, and throws for another. Needs root.
 */
export function buildImage(file: string, { folder, base, say }: Build): Image {
  const stages = new Map<string, Image>()
  let image: Image | undefined
  const stage = () => {
    if (!image) throw new Error('a Containerfile begins with FROM')
    return image
  }
  const carryOut: Record<string, (text: string) => void> = {
    FROM(text) {
      const [name = '', , alias = 'image'] = text.split(/\s+/)
      const root = path.join(folder, alias)
      copyAll(base(name), root)
      image = { root, folder: '/', env: { PATH: BASE_PATH }, user: 'root', volumes: [], command: [], healthcheck: [] }
      stages.set(alias, image)
    },
    WORKDIR(text) {
      stage().folder = text
      mkdirSync(path.join(stage().root, text), { recursive: true })
    },
    ENV(text) {
      for (const setting of text.split(/\s+/)) {
        const [name = '', ...rest] = setting.split('=')
        stage().env[name] = rest.join('=')
      }
    },
    COPY(text) {
      const [, from, source = '', target = ''] = /^(?:--from=(\S+)\s+)?(\S+)\s+(\S+)$/.exec(text) ?? []
      const to = path.join(stage().root, path.resolve(stage().folder, target))
      if (from === undefined) copySources(source, to)
      else copyAll(path.join(stages.get(from)?.root ?? `no stage ${from}`, source), to)
    },
    RUN(text) {
      const { root, folder: cwd, env } = stage()
      runIn(root, `cd ${cwd} && ${text}`, env)
    },
    USER(text) {
      stage().user = text
    },
    VOLUME(text) {
      stage().volumes.push(text)
    },
    EXPOSE() {},
    HEALTHCHECK(text) {
      stage().healthcheck = JSON.parse(text.replace(/^.*?CMD\s+/, '')) as string[]
    },
    CMD(text) {
      stage().command = JSON.parse(text) as string[]
    },
  }
  for (const { name, text } of instructionsIn(file)) {
    say(`${name} ${text}`)
    const instruction = carryOut[name]
    if (!instruction) throw new Error(`this builder does not know ${name}`)
    instruction(text)
  }
  return stage()
}

/** The certificate authorities of this machine. */
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt'
const BASE_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * A root file system as that of docker.io/library/node:24-bookworm-slim, which comes from a registry: Debian 12's essential packages by `mmdebstrap`,
 * and in /usr/local this process's Node and this machine's npm.
 */
export function nodeBase(folder: string, mmdebstrap: string, env: Record<string, string>): string {
  const root = path.join(folder, 'base')
  const minimal = ['--mode=root', '--variant=minbase', 'bookworm', root, 'http://deb.debian.org/debian']
  run(outside(['perl', mmdebstrap, ...minimal]), { ...process.env, ...env })
  cpSync(process.execPath, path.join(root, 'usr/local/bin/node'))
  const npm = path.dirname(path.dirname(realpathSync(found('npm'))))
  copyAll(npm, path.join(root, 'usr/local/lib/node_modules/npm'))
  for (const name of ['npm', 'npx']) {
    run(['ln', '-s', `../lib/node_modules/npm/bin/${name}-cli.js`, path.join(root, 'usr/local/bin', name)])
  }
  // How this machine reaches package servers, which a container engine would pass on.
  for (const file of ['/etc/resolv.conf', AUTHORITIES]) {
    if (existsSync(file)) cpSync(realpathSync(file), path.join(root, file))
  }
  return root
}

function found(program: string): string {
  const folder = (process.env.PATH ?? '')
    .split(':')
    .find((one) => !one.includes('node_modules') && existsSync(path.join(one, program)))
  if (folder === undefined) throw new Error(`there is no ${program}`)
  return path.join(folder, program)
}

/** The files of this checkout, without what .dockerignore names. */
function copySources(source: string, to: string): void {
  if (source !== '.') throw new Error(`this builder copies the whole checkout only, not ${source}`)
  const ignored = readFileSync(path.join(ROOT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const excluded = ignored.map((pattern) => `--exclude=${pattern.replace('**/', '*')}`)
  mkdirSync(to, { recursive: true })
  run(['sh', '-c', 'tar "$@" -cf - . | tar -xf - -C "$0"', to, '-C', ROOT, ...excluded])
}

function copyAll(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  run(['cp', '-a', `${from}/.`, to])
}

function runIn(root: string, script: string, env: Record<string, string>): void {
  const inside = 'mount -t proc proc "$0/proc" && mount --bind /dev "$0/dev" && exec chroot "$0" /bin/sh -c "$1"'
  const separate = ['unshare', '--mount', '--pid', '--fork', '--kill-child']
  run(outside([...separate, 'sh', '-c', inside, root, script]), {
    ...env,
    HOME: '/root',
    NODE_EXTRA_CA_CERTS: AUTHORITIES,
  })
  rmSync(path.join(root, 'root/.npm'), { recursive: true, force: true })
}

/** A check that runs alone has no connection to the outside; the process that started it has. */
function outside(command: readonly string[]): string[] {
  return ['nsenter', `--net=/proc/${process.ppid}/ns/net`, '--', ...command]
}

function run([file = '', ...args]: readonly string[], env: NodeJS.ProcessEnv = process.env): void {
  const { status, stdout, stderr } = spawnSync(file, args, { env, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 })
  if (status !== 0)
    throw new Error(`${file} ${args.join(' ')} ended with ${status}: ${`${stdout}${stderr}`.slice(-2_000)}`)
}

/**
 * The command that runs a program of an image as a container does: the root file system read-only, /tmp in memory, `volumes` (folders of this machine by
 * their path inside) writable, the image's user without any capability, and processes of its own.
 */
export function containerCommand(
  image: Image,
  program: readonly string[],
  volumes: Readonly<Record<string, string>>,
): string[] {
  const { root } = image
  const mounts = Object.entries(volumes).map(([inside, folder]) => `mount --bind '${folder}' '${root}${inside}'`)
  const script = [
    `mount --bind '${root}' '${root}'`,
    `mount -t proc proc '${root}/proc'`,
    `mount --bind /dev '${root}/dev'`,
    `mount -t tmpfs tmpfs '${root}/tmp'`,
    ...mounts,
    `mount -o remount,ro,bind '${root}'`,
    `cd '${root}'`,
    `exec chroot . setpriv --reuid=${image.user} --regid=${image.user} --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs sh -c 'cd ${image.folder} && exec "$@"' sh "$@"`,
  ].join(' && ')
  return ['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script, 'sh', ...program]
}

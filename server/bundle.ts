import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import inspector from 'node:inspector'
import { enableCompileCache } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * The bundle: the modules of the product in a few files, which a process loads in half the time that the sources take.
 * `scripts/bundle-server.ts` makes it; docs/decisions/0126-bundle.md says why it can't be out of date.
 */
const ROOT = path.resolve(import.meta.dirname, '..')

/** What a process loads from the bundle, by its module: the programs that people start. */
export const PROGRAMS = ['server/cli/all-in-one.ts', 'server/cli/program.ts', 'server/demo/run.ts'] as const

/** `key`: of the sources when they were bundled, and the name of the folder. `sources`: every file that went in, from the root. */
export type BundleList = { key: string; sources: string[] }

/** Where a checkout has its bundle: a list, and a folder with the name of its key. */
export function bundleFolder(root: string = ROOT): string {
  return path.join(root, 'server/dist')
}

/** The name of a module's file in the bundle, given the module's path from the root. */
export function bundledName(module: string): string {
  return `${module.replace(/\.ts$/, '').replaceAll('/', '.')}.mjs`
}

/** A digest of the contents of files and of where they are. Throws where one cannot be read. */
export function keyOf(sources: readonly string[], root: string = ROOT): string {
  const hash = createHash('sha256').update(root)
  for (const source of sources) hash.update(`\0${source}\0`).update(readFileSync(path.join(root, source)))
  return hash.digest('hex').slice(0, 32)
}

/** The folder of the bundle, or null where there is none of exactly these sources. */
export function currentBundle(root: string = ROOT): string | null {
  try {
    const list = JSON.parse(readFileSync(path.join(bundleFolder(root), 'bundle.json'), 'utf8')) as BundleList
    const folder = path.join(bundleFolder(root), list.key)
    return keyOf(list.sources, root) === list.key && existsSync(folder) ? folder : null
  } catch {
    return null
  }
}

/**
 * Loads a program, given by its path from the root, from the bundle; from the sources where that is not current or a debugger is attached,
 * whose breakpoints are in the sources.
 */
export async function loadProgram<Program>(
  module: (typeof PROGRAMS)[number],
  fromSources: () => Promise<Program>,
): Promise<Program> {
  const folder = inspector.url() === undefined ? currentBundle() : null
  if (folder === null) return fromSources()
  // What V8 compiled is kept beside the bundle, where this user may write there; NODE_COMPILE_CACHE names another place.
  enableCompileCache(path.join(bundleFolder(), 'compiled'))
  return (await import(pathToFileURL(path.join(folder, bundledName(module))).href)) as Program
}

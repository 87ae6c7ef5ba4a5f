import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  type BundleList,
  bundledName,
  bundleFolder,
  currentBundle,
  keyOf,
  PROGRAMS,
} from '@groundswell/server/bundle.ts'
import { type Plugin, rolldown } from 'rolldown'

/** What decides, beside the modules, how they are found and put together. */
const SETTINGS = [
  'package-lock.json',
  'scripts/bundle-server.ts',
  'server/bundle.ts',
  ...['client', 'contract', 'encoder', 'engine', 'connectors', 'server'].map((name) => `${name}/package.json`),
]
/** Bundles that are kept: a process that runs an earlier one may still load parts of it. */
const KEPT = 2

if (import.meta.main) await bundleServer(path.resolve(import.meta.dirname, '..'))

/**
 * Bundles the server of a checkout into its `server/dist`, unless that is current. Only the product's own modules go in: packages and data stay where
 * they are, and a module still sees its own place in `import.meta`. Throws where a module cannot be read, or changes meanwhile.
 */
export async function bundleServer(root: string): Promise<void> {
  if (currentBundle(root) !== null) return
  const building = path.join(bundleFolder(root), `building-${process.pid}`)
  const modules = new Map<string, string>()
  try {
    const build = await rolldown({
      cwd: root,
      platform: 'node',
      input: Object.fromEntries(PROGRAMS.map((module) => [bundledName(module), module])),
      external(id, importer) {
        if (!/^[\w@]/.test(id) || id.startsWith('@groundswell/') || path.isAbsolute(id)) return false
        const name = id.split('/', id.startsWith('@') ? 2 : 1).join('/')
        if (importer !== undefined && packageFolder(name, importer) !== packageFolder(name, building)) {
          throw new Error(
            `${importer} has another copy of ${name} than server/: a bundle there would load the wrong one.`,
          )
        }
        return true
      },
      plugins: [dataStays(), placesStay(root, modules)],
    })
    await build.write({
      dir: building,
      format: 'esm',
      entryFileNames: '[name]',
      chunkFileNames: '[name]-[hash].mjs',
      keepNames: true,
    })
    await build.close()
    for (const [file, code] of modules) {
      if (readFileSync(file, 'utf8') !== code) throw new Error(`${file} changed while it was bundled: try again.`)
    }
    const sources = [...SETTINGS, ...[...modules.keys()].map((file) => path.relative(root, file))].sort()
    publish(root, building, { key: keyOf(sources, root), sources })
  } finally {
    rmSync(building, { recursive: true, force: true })
  }
}

/** The folder of the package that a file gets by this name; undefined for modules of Node itself. */
function packageFolder(name: string, file: string): string | undefined {
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const found = path.join(folder, 'node_modules', name)
    if (existsSync(found)) return found
  }
  return undefined
}

/** Data that a module imports is read from its file, which costs less than a literal of the same size. */
function dataStays(): Plugin {
  return {
    name: 'data-stays',
    resolveId: {
      filter: { id: /^\..*\.json$/ },
      handler: (id, importer = '') => ({ id: new URL(id, pathToFileURL(importer)).href, external: true }),
    },
  }
}

/**
 * Gives each module its own path instead of the bundle's, and the module of a thread or child process a file of its own. Notes each module, by
 * its path, with its code.
 */
function placesStay(root: string, modules: Map<string, string>): Plugin {
  return {
    name: 'places-stay',
    transform: {
      filter: { id: /\.ts$/ },
      handler(code, id) {
        modules.set(id, code)
        const folder = path.dirname(id)
        const places = { url: pathToFileURL(id).href, dirname: folder, filename: id }
        return code.replaceAll(
          /new URL\('(\.[^']*\.ts)', import\.meta\.url\)|import\.meta\.(url|dirname|filename)\b/g,
          (_, started: string | undefined, place: keyof typeof places) => {
            if (started === undefined) return JSON.stringify(places[place])
            const file = path.join(folder, started)
            const fileName = bundledName(path.relative(root, file))
            this.emitFile({ type: 'chunk', id: file, fileName })
            return `new URL('./${fileName}', import.meta.url)`
          },
        )
      },
    },
  }
}

/** Makes a finished bundle the current one, and removes all but the previous one, and the code that V8 compiled from those removed. */
function publish(root: string, building: string, list: BundleList): void {
  const target = bundleFolder(root)
  const folder = path.join(target, list.key)
  // One of the same key is the same, and processes may be loading it.
  if (!existsSync(folder)) renameSync(building, folder)
  writeFileSync(`${building}.json`, JSON.stringify(list))
  renameSync(`${building}.json`, path.join(target, 'bundle.json'))
  rmSync(path.join(target, 'compiled'), { recursive: true, force: true })
  const age = (name: string) => statSync(path.join(target, name)).mtimeMs
  const others = readdirSync(target).filter((name) => /^[0-9a-f]{32}$/.test(name) && name !== list.key)
  for (const name of others.toSorted((a, b) => age(b) - age(a)).slice(KEPT - 1)) {
    rmSync(path.join(target, name), { recursive: true, force: true })
  }
}

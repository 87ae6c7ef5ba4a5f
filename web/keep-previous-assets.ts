import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import type { Plugin } from 'vite'

/** How long the files of a replaced build stay, in milliseconds. */
const KEPT_MS = 24 * 60 * 60 * 1000

const ASSETS = 'assets'

type Manifest = Record<string, { file: string; css?: string[]; assets?: string[] }>

/**
 * A tab that is open during a release still requests files of the build it started with. They stay for a day after they were
 * replaced; later builds remove them. At no time is a file of either build missing.
 */
export function keepPreviousAssets(now: () => number = Date.now): Plugin {
  let folder = ''
  let replaced = new Set<string>()
  return {
    name: 'keep-previous-assets',
    apply: 'build',
    config: () => ({ build: { emptyOutDir: false } }),
    configResolved({ root, build }) {
      folder = path.resolve(root, build.outDir)
    },
    async buildStart() {
      replaced = await filesOfBuild(folder)
    },
    async writeBundle(_, bundle) {
      for (const name of await readdir(path.join(folder, ASSETS)).catch(() => [])) {
        const file = path.join(folder, ASSETS, name)
        if (Object.hasOwn(bundle, `${ASSETS}/${name}`)) continue
        // The modification time of a retained file is when it was replaced.
        if (replaced.has(`${ASSETS}/${name}`)) await utimes(file, new Date(now()), new Date(now()))
        else if ((await stat(file)).mtimeMs < now() - KEPT_MS) await rm(file, { recursive: true })
      }
    },
  }
}

/** The files of the current build, from its manifest; none where there is no build. */
async function filesOfBuild(folder: string): Promise<Set<string>> {
  const text = await readFile(path.join(folder, '.vite', 'manifest.json'), 'utf8').catch(() => '{}')
  const chunks = Object.values(JSON.parse(text) as Manifest)
  return new Set(chunks.flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]))
}

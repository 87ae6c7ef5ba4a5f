import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

/**
 * Run after `vite build`: prints the gzip size of what each screen makes a browser fetch and ends with 1 when one is over
 * its budget, or the fonts are. A first route is the entry, the frame and the screen with everything they need; a lazy route is what a screen
 * adds to that.
 */
const KIB = 1024
const FIRST_ROUTE_KIB = 130
const LAZY_ROUTE_KIB = 60
const FONTS_KIB = 40
const ENTRY = 'index.html'
const FRAME = 'app/layout.tsx'
const FIRST_ROUTES: Record<string, readonly string[]> = {
  'features/accounts/auth-page.tsx': [],
  'features/insights/insights-page.tsx': [FRAME],
}

type Chunk = { file: string; css?: string[]; imports?: string[]; dynamicImports?: string[] }

const dist = new URL('./dist/', import.meta.url)
const manifestFile = new URL('.vite/manifest.json', dist)
if (!existsSync(manifestFile)) {
  console.error('web/dist holds no build: run `vite build web` first.')
  process.exit(1)
}
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Record<string, Chunk>

function chunk(name: string): Chunk {
  const found = manifest[name]
  if (!found) throw new Error(`The build has no chunk ${name}`)
  return found
}

/** The files that a chunk needs at once: itself, its styles and all it imports. */
function files(name: string, seen = new Set<string>()): Set<string> {
  const { file, css = [], imports = [] } = chunk(name)
  if (seen.has(file)) return seen
  seen.add(file)
  for (const style of css) seen.add(style)
  for (const other of imports) files(other, seen)
  return seen
}

const sizes = new Map<string, number>()
function kib(names: Iterable<string>): number {
  let bytes = 0
  for (const name of names) {
    const known = sizes.get(name) ?? gzipSync(readFileSync(new URL(name, dist)), { level: 9 }).length
    sizes.set(name, known)
    bytes += known
  }
  return bytes / KIB
}

const rows: { what: string; size: number; budget: number }[] = []
for (const [screen, needs] of Object.entries(FIRST_ROUTES)) {
  const all = new Set([ENTRY, ...needs, screen].flatMap((name) => [...files(name)]))
  rows.push({ what: `first: ${screen}`, size: kib(all), budget: FIRST_ROUTE_KIB })
}
const base = files(ENTRY)
const framed = new Set([...base, ...files(FRAME)])
for (const screen of chunk(ENTRY).dynamicImports ?? []) {
  const there = screen === FRAME ? base : framed
  const added = [...files(screen)].filter((file) => !there.has(file))
  rows.push({ what: `lazy: ${screen}`, size: kib(added), budget: LAZY_ROUTE_KIB })
}

const fonts = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.(woff2?|ttf|otf)$/.test(name),
)
rows.push({ what: 'all fonts', size: kib(fonts), budget: FONTS_KIB })

for (const { what, size, budget } of rows) {
  const verdict = size > budget ? 'OVER' : 'ok'
  console.log(`${what.padEnd(52)} ${size.toFixed(1).padStart(6)} of ${budget} KiB gzip  ${verdict}`)
}
if (rows.some(({ size, budget }) => size > budget)) process.exit(1)

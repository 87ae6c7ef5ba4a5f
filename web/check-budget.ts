import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'

/**
 * Run after `vite build`: prints the gzip size of what each screen makes a browser fetch and exits with 1 when one is over
 * its budget, or the fonts are. A first route is everything that is fetched before the screen is usable: the entry, the frame and the
 * screen with everything they import, including the toaster. Everything else waits for that (`web/ui/first-look.ts`);
 * `e2e/first-route.test.ts` compares both with the requests of a browser. A lazy route counts only what its screen adds.
 *   node web/check-budget.ts [--files=features/insights/insights-page.tsx]
 * With --files it prints the files that are counted for one first route as JSON.
 */
const KIB = 1024
const FIRST_ROUTE_KIB = 130
const LAZY_ROUTE_KIB = 60
const FONTS_KIB = 40
const ENTRY = 'index.html'
const FRAME = 'app/layout.tsx'
const FIRST_ROUTES: Record<string, readonly string[]> = {
  'features/accounts/sign-in/auth-page.tsx': [],
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

/** The files that a chunk loads: itself, its styles and all its static imports. */
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

function firstRoute(screen: string): Set<string> {
  return new Set([ENTRY, ...(FIRST_ROUTES[screen] ?? []), screen].flatMap((name) => [...files(name)]))
}

const { values } = parseArgs({ options: { files: { type: 'string' } } })
if (values.files !== undefined) {
  console.log(JSON.stringify([...firstRoute(values.files)]))
  process.exit(0)
}

const rows: { what: string; size: number; budget: number }[] = []
for (const screen of Object.keys(FIRST_ROUTES)) {
  rows.push({ what: `first: ${screen}`, size: kib(firstRoute(screen)), budget: FIRST_ROUTE_KIB })
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

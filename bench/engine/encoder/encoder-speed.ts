// Measures the speed and memory of the sentence encoder and writes docs/benchmarks/encoder.{json,md}.
//   node bench/engine/encoder/encoder-speed.ts [--runs=5]
// With other than 5 runs it prints the figures and writes nothing.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Figure, figure, table } from '../figures.ts'
import { headingOf, thisMachine } from '../machine.ts'
import type { EncoderRun, SpeedTexts } from './encoder-speed-run.ts'
import { ownTexts } from './encoder-texts.ts'

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..')
const RUNS = '5'
const TARGETS = { plain: { atLeast: 100 }, revectorized: { atLeast: 140 } }
const TARGET_MIB = { atMost: 200 }
const TEXTS: SpeedTexts = {
  short: ownTexts(400, ({ length }) => length >= 40 && length <= 100),
  long: ownTexts(200, ({ length }) => length >= 200 && length <= 400),
}

const { values } = parseArgs({ options: { runs: { type: 'string', default: RUNS } } })
const machine = thisMachine(new Date())
const loadBefore = load()
// In turn, so that what else the machine does concerns both alike.
const runs = Array.from({ length: Number(values.runs) }, (_, index) => {
  process.stderr.write(`${index + 1} of ${values.runs} …\n`)
  return { plain: measure('plain'), revectorized: measure('revectorized') }
})
const figures = (['plain', 'revectorized'] as const).flatMap((mode) =>
  figuresOf(
    mode,
    runs.map((run) => run[mode]),
  ),
)
figures.push(
  figure(
    'speed with the revectorizer, beside that without it: short texts',
    '×',
    runs.map(({ plain, revectorized }) => revectorized.shortPerSecond / plain.shortPerSecond),
  ),
)
const heading = `${headingOf(machine)}, load ${loadBefore} before and ${load()} after`
process.stdout.write(`${heading}\n\n${table(figures)}\n`)
if (values.runs === RUNS) {
  const folder = path.join(ROOT, 'docs', 'benchmarks')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'encoder.json'), `${JSON.stringify({ machine, figures }, null, 2)}\n`)
  writeFileSync(path.join(folder, 'encoder.md'), page(heading, figures))
}

function measure(mode: string): EncoderRun {
  const script = path.join(import.meta.dirname, 'encoder-speed-run.ts')
  const options = { encoding: 'utf8', input: JSON.stringify(TEXTS) } as const
  return JSON.parse(execFileSync(process.execPath, [script, mode], options)) as EncoderRun
}

function figuresOf(mode: keyof typeof TARGETS, of: EncoderRun[]): Figure[] {
  const [short, long] = [meanLength(TEXTS.short), meanLength(TEXTS.long)]
  const each = (what: string, unit: string, value: (run: EncoderRun) => number, target?: Figure['target']) =>
    figure(`${mode}: ${what}`, unit, of.map(value), target)
  return [
    each(`texts of ${short} characters per second of CPU`, '/s', (run) => run.shortPerSecond, TARGETS[mode]),
    each(`texts of ${long} characters per second of CPU`, '/s', (run) => run.longPerSecond),
    each(`one text of ${short} characters alone`, 'ms', (run) => run.oneMs),
    each('opening the model and its self-test', 'ms', (run) => run.openMs),
    each('peak memory of the process', 'MiB', (run) => run.peakMiB, TARGET_MIB),
  ]
}

function meanLength(texts: readonly string[]): number {
  return Math.round(texts.reduce((sum, { length }) => sum + length, 0) / texts.length)
}

function load(): string {
  return (loadavg()[0] ?? 0).toFixed(1)
}

function page(where: string, measured: Figure[]): string {
  return `# Sentence encoder

Written by \`npm run bench:encoder\`. Medians; each run has its own process and one thread. CPU time covers all threads of the process. "Plain" is
WebAssembly with 128 bits; "revectorized" is with V8's flag \`--experimental-wasm-revectorize\`, which uses 256 bits and exists on x64 only. In
the product the process starts with the flag and tests itself.

${where}

${table(measured)}

The texts are from our own sets (\`bench/engine/encoder/encoder-texts.ts\`). Only Linux on x64 was measured.

The vectors were compared with those of another implementation, candle at 32 bits (\`bench/engine/encoder/encoder-reference.ts\`), on 500 texts of
those sets: the least cosine is 0.999897, the 5th percentile 0.999960, the median 0.999985.
`
}

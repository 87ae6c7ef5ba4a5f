// One measurement of the encoder in its own process; prints JSON. Started by encoder-speed.ts.
//   node bench/engine/encoder/encoder-speed-run.ts plain|revectorized < TEXTS
import { text } from 'node:stream/consumers'
import { openEncoder, passesSelfTest } from '@groundswell/encoder/index.ts'

/** What is encoded, as JSON on standard input. */
export type SpeedTexts = { short: string[]; long: string[] }
/** Texts per second of CPU, all threads; `oneMs` is the median wall time of a short text alone. */
export type EncoderRun = {
  openMs: number
  shortPerSecond: number
  longPerSecond: number
  oneMs: number
  peakMiB: number
}

const SINGLE_TEXTS = 100

const { short, long } = JSON.parse(await text(process.stdin)) as SpeedTexts

const began = performance.now()
const encoder = await openEncoder({}, { revectorize: process.argv[2] === 'revectorized' })
if (!(await passesSelfTest(encoder))) throw new Error('the encoder computes wrong vectors')
const openMs = performance.now() - began

const alone = short.slice(0, SINGLE_TEXTS).map((one) => {
  const start = performance.now()
  encoder.encode([one])
  return performance.now() - start
})
const run: EncoderRun = {
  openMs,
  shortPerSecond: perSecond(short),
  longPerSecond: perSecond(long),
  oneMs: alone.sort((a, b) => a - b)[SINGLE_TEXTS / 2] ?? Number.NaN,
  peakMiB: process.resourceUsage().maxRSS / 1024,
}
process.stdout.write(JSON.stringify(run))

function perSecond(texts: readonly string[]): number {
  const start = process.cpuUsage()
  encoder.encode(texts)
  const { user, system } = process.cpuUsage(start)
  return (texts.length * 1e6) / (user + system)
}

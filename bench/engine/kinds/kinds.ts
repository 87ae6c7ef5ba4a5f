// Measures the classifier of kinds on labelled statements and writes docs/benchmarks/kinds.md; with --train it trains it instead.
//   node bench/engine/kinds/kinds.ts [--data=FOLDER] [--train]
// FOLDER holds the public sets of docs/benchmarks/real-feedback.md: <set>.jsonl, and <set>.tune.jsonl for the effect on insights. Without
// it the figures of our own examples are printed and nothing is written.
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Item } from '@groundswell/engine/index.ts'
import { classifyKind } from '@groundswell/engine/kinds/classify.ts'
import { KINDS } from '@groundswell/engine/kinds/kind.ts'
import { type Model, probabilitiesOf } from '@groundswell/engine/kinds/model.ts'
import type { Space } from '@groundswell/engine/kinds/reading.ts'
import { dataSets } from '../data-sets.ts'
import { readItems } from '../largest-insights.ts'
import { headingOf, thisMachine } from '../machine.ts'
import type { Row } from '../stream.ts'
import { type Effect, effectOn } from './kinds-effect.ts'
import {
  type Example,
  evaluationOf,
  missingSets,
  ownExamples,
  realExamples,
  SOURCES,
  secondLabeller,
  secondPass,
  trainingOf,
} from './kinds-examples.ts'
import { figures, type Judgement, page, type Transfer } from './kinds-report.ts'
import { samplesOf, vectorsOf } from './kinds-samples.ts'
import { type Judged, scoreKinds } from './kinds-scores.ts'
import { fit } from './kinds-training.ts'
import { trainAndStore } from './kinds-weights.ts'

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..')
const SPACES: readonly Space[] = ['encoder', 'words']
const SPEED_ROUNDS = 5
/** The demo company and four others, the first of `dataSets`. */
const OWN_COMPANIES = 5

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { data: { type: 'string' }, train: { type: 'boolean', default: false } } })
  const { data } = values
  if (values.train) return trainAndStore(data)
  const examples = [...ownExamples(), ...(data === undefined ? [] : realExamples(data))]
  const evaluation = evaluationOf(examples)
  const judgements: Judgement[] = []
  for (const space of SPACES) judgements.push({ space, judged: await judgeAll(evaluation, space) })
  process.stdout.write(`${figures(judgements)}\n`)
  if (data === undefined) return
  const transfers: Transfer[] = []
  for (const space of SPACES) transfers.push(await transferOf(examples, space))
  const report = page({
    heading: headingOf(thisMachine(new Date())),
    missing: missingSets(data),
    examples,
    judgements,
    transfers,
    again: secondPass(),
    others: secondLabeller(),
    speeds: await speeds(evaluation),
    effects: await effects(data),
  })
  writeFileSync(path.join(ROOT, 'docs', 'benchmarks', 'kinds.md'), report)
}

/** What the shipped classifier says, without the author's role. */
async function judgeAll(examples: readonly Example[], space: Space): Promise<(Example & Judged)[]> {
  const vectors = space === 'encoder' ? await vectorsOf(examples.map(({ text }) => text)) : []
  return examples.map((example, i) => {
    const { kind, confidence } = classifyKind({ text: example.text, vector: vectors[i] })
    return { ...example, said: kind, confidence }
  })
}

/** How a classifier trained on four kinds of source does on the fifth, and one trained on our own examples does on real ones. */
async function transferOf(examples: readonly Example[], space: Space): Promise<Transfer> {
  const training = trainingOf(examples)
  const evaluation = evaluationOf(examples)
  const from = await samplesOf(training, space)
  const to = await samplesOf(evaluation, space)
  const judgedBy = (learns: (one: Example) => boolean, counts: (one: Example) => boolean): Judged[] => {
    const model = fit(from.filter((_, i) => learns(training[i] as Example)))
    return to
      .map(({ input, kind }, i) => ({ ...saidBy(model, input), kind, example: evaluation[i] as Example }))
      .filter(({ example }) => counts(example))
  }
  const sources = Object.keys(SOURCES).map((source) => ({
    source,
    judged: judgedBy(
      (one) => one.source !== source,
      (one) => one.source === source,
    ),
  }))
  return {
    space,
    sources: sources.map(({ source, judged }) => ({ source, scores: scoreKinds(judged) })),
    together: scoreKinds(sources.flatMap(({ judged }) => judged)),
    ownToReal: scoreKinds(
      judgedBy(
        ({ set }) => set === 'own',
        ({ set }) => set !== 'own',
      ),
    ),
  }
}

function saidBy(model: Model, input: Float32Array): Omit<Judged, 'kind'> {
  const values = probabilitiesOf(model, input)
  const best = values.reduce((most, value, kind) => (value > (values[most] as number) ? kind : most), 0)
  return { said: KINDS[best] ?? null, confidence: values[best] as number }
}

/** Statements per second of CPU time, the median of five rounds, the vectors given. */
async function speeds(examples: readonly Example[]): Promise<Record<Space, number>> {
  const vectors = await vectorsOf(examples.map(({ text }) => text))
  const speedOf = (space: Space): number => {
    const rounds = Array.from({ length: SPEED_ROUNDS }, () => {
      const began = process.cpuUsage()
      examples.forEach(({ text }, i) => classifyKind({ text, vector: space === 'encoder' ? vectors[i] : undefined }))
      const { user, system } = process.cpuUsage(began)
      return (examples.length * 1e6) / (user + system)
    })
    return rounds.sort((a, b) => a - b)[Math.floor(SPEED_ROUNDS / 2)] as number
  }
  return { encoder: speedOf('encoder'), words: speedOf('words') }
}

/** Our own companies, and the halves of the real sets that are for development. */
async function effects(folder: string): Promise<Effect[]> {
  const own = dataSets(folder).slice(0, OWN_COMPANIES)
  const sets: [string, () => Item[]][] = own.map(({ name, rowsOf }) => [name, () => itemsOf(rowsOf(1))])
  for (const set of Object.values(SOURCES).flat()) {
    const file = path.join(folder, `${set}.tune.jsonl`)
    if (existsSync(file)) sets.push([set, () => readItems(file)])
  }
  const found: Effect[] = []
  for (const [name, items] of sets) {
    process.stderr.write(`${name} …\n`)
    found.push(await effectOn(name, items()))
  }
  return found
}

function itemsOf(rows: readonly Row[]): Item[] {
  return rows.map(({ text, thread, at }, i) => ({
    id: `${i}`,
    text,
    at: at ?? i,
    ...(thread !== undefined && { thread }),
  }))
}

await main()

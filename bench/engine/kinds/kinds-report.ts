import { KINDS, type Kind } from '@groundswell/engine/kinds/kind.ts'
import type { Space } from '@groundswell/engine/kinds/reading.ts'
import { guessLanguage } from '@groundswell/engine/text/language.ts'
import { normalise, tokenise } from '@groundswell/engine/text/normalise.ts'
import type { Effect } from './kinds-effect.ts'
import { type Example, isTrainedOn, SOURCES, type TwoLabels } from './kinds-examples.ts'
import { AGREEMENT, CONSISTENCY, EFFECT, INTRODUCTION, LABELS, READING, TRIED } from './kinds-prose.ts'
import {
  agreement,
  agreementOn,
  calibration,
  confusion,
  type Judged,
  type KindScores,
  scoreKinds,
} from './kinds-scores.ts'

/** What one variant of the classifier says about the evaluation examples. */
export type Judgement = { space: Space; judged: readonly (Example & Judged)[] }

/** Scores where training and evaluation come from different places. `together`: all sources, each left out of its training. */
export type Transfer = {
  space: Space
  sources: readonly { source: string; scores: KindScores }[]
  together: KindScores
  ownToReal: KindScores
}

export type Findings = {
  heading: string
  /** the real sets whose texts were not there */
  missing: readonly string[]
  examples: readonly Example[]
  judgements: readonly Judgement[]
  transfers: readonly Transfer[]
  again: readonly { source: string; first: Kind; second: Kind }[]
  others: readonly TwoLabels[]
  speeds: Readonly<Record<Space, number>>
  effects: readonly Effect[]
}

const NAMES: Readonly<Record<Space, string>> = { encoder: 'encoder and cues', words: 'word table and cues' }
const BINS = [0, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01]

/** Macro-F1 and the F1 of each kind, overall and by kind of source, as a Markdown table. */
export function figures(judgements: readonly Judgement[]): string {
  return table(
    ['evaluation part', 'classifier', 'examples', 'accuracy', 'macro-F1', ...KINDS],
    slices()
      .filter(([, belongs]) => judgements.some(({ judged }) => judged.some(belongs)))
      .flatMap(([name, belongs]) =>
        judgements.map(({ space, judged }) => [name, NAMES[space], ...scoreCells(scoreKinds(judged.filter(belongs)))]),
      ),
  )
}

/** The page for `docs/benchmarks`. */
export function page({
  heading,
  missing,
  examples,
  judgements,
  transfers,
  again,
  others,
  speeds,
  effects,
}: Findings): string {
  const [best] = judgements
  const judged = best?.judged ?? []
  return `${[
    '# How well kinds are told',
    `Written by \`npm run bench:kinds\`; the guide is [kinds.md](../kinds.md), the reasons are in [decision 44](../decisions/0044-kinds.md). No API key.`,
    heading,
    INTRODUCTION,
    ...(missing.length > 0 ? [`Not in these figures, because their texts were not there: ${missing.join(', ')}.`] : []),
    '## Result',
    figures(judgements),
    READING,
    '### Kinds of source never seen in training',
    'Trained on four kinds of source, judged on the evaluation part of the fifth.',
    table(
      ['left out', ...transfers.map(({ space }) => `${NAMES[space]}: macro-F1`)],
      [
        ...Object.keys(SOURCES).map((source) => [
          source,
          ...transfers.map(({ sources }) => one(sources.find((other) => other.source === source)?.scores.macroF1)),
        ]),
        ['all five', ...transfers.map(({ together }) => one(together.macroF1))],
        [
          'real statements, trained on our own examples alone',
          ...transfers.map(({ ownToReal }) => one(ownToReal.macroF1)),
        ],
      ],
    ),
    '### What is taken for what',
    `${NAMES.encoder}, whole evaluation part: rows are right, columns are said.`,
    table(
      ['', ...KINDS, 'unknown'],
      confusion(judged).map((row, place) => [KINDS[place] ?? '', ...row.map(String)]),
    ),
    '### By language',
    table(
      ['language, as guessed', 'examples', ...judgements.map(({ space }) => `${NAMES[space]}: macro-F1`)],
      languages(judgements),
    ),
    '### Confidence',
    'Statements by confidence: mean confidence, and how many of them are right, in percent.',
    table(
      ['confidence', ...judgements.flatMap(({ space }) => [`${NAMES[space]}: statements`, 'mean', 'right'])],
      BINS.slice(1).map((to, i) => [
        `${BINS[i]} to ${Math.min(1, to)}`,
        ...judgements.flatMap(({ judged: all }) => {
          const { decisions, confidence, right } = calibration(all, BINS[i] as number, to)
          return [`${decisions}`, one(confidence), one(right)]
        }),
      ]),
    ),
    '### Speed',
    `${Math.round(speeds.encoder).toLocaleString('en')} statements per CPU-second with the encoder's vector given, ${Math.round(speeds.words).toLocaleString('en')} with the word table (median of five rounds).`,
    '## Labels',
    LABELS,
    table(['', ...KINDS, 'together'], labelRows(examples)),
    '### Agreement of two labellers',
    AGREEMENT,
    ...labellers(others),
    '### Consistency of the labels',
    CONSISTENCY,
    table(
      ['', 'examples', 'equal, %', "Cohen's kappa"],
      ['all', ...Object.keys(SOURCES)].map((name) => [
        name,
        ...agreementCells(again.filter(({ source }) => name === 'all' || source === name)),
      ]),
    ),
    '## What it would do to insights',
    EFFECT,
    table(
      [
        'set',
        'statements',
        ...KINDS.map((kind) => `${kind}, %`),
        'insights',
        'mostly praise or small talk',
        'of the 20 largest',
      ],
      effects.map(({ name, statements, shares, insights, hidden, largest, hiddenLargest }) => [
        name,
        `${statements}`,
        ...KINDS.map((kind) => one(shares[kind])),
        `${insights}`,
        `${hidden}`,
        `${hiddenLargest} of ${largest}`,
      ]),
    ),
    TRIED,
  ].join('\n\n')}\n`
}

/** How far the second, independent labeller agrees with the first: by kind of source, by kind, and which kinds differ, as Markdown tables. */
export function labellers(others: readonly TwoLabels[]): string[] {
  const slices: [string, (one: TwoLabels) => boolean][] = [
    ['all', () => true],
    ['our own examples', ({ isOwn }) => isOwn],
    ['real statements', ({ isOwn }) => !isOwn],
    ...Object.keys(SOURCES).flatMap((name): [string, (one: TwoLabels) => boolean][] => [
      [name, ({ source }) => source === name],
      [`${name}, real only`, ({ source, isOwn }) => source === name && !isOwn],
    ]),
  ]
  const real = others.filter(({ isOwn }) => !isOwn)
  return [
    table(
      ['', 'examples', 'equal, %', "Cohen's kappa"],
      slices.map(([name, belongs]) => [name, ...agreementCells(others.filter(belongs))]),
    ),
    'By kind: of the labels of this kind by either labeller, how many the other gave as well; then, what the second labeller said (columns) where the first said the kind of the row.',
    table(
      ['', 'agreement, %', 'on real statements, %', ...KINDS],
      KINDS.map((kind) => [
        kind,
        one(agreementOn(kind, others)),
        one(agreementOn(kind, real)),
        ...KINDS.map((other) => `${others.filter(({ first, second }) => first === kind && second === other).length}`),
      ]),
    ),
  ]
}

function agreementCells(pairs: readonly { first: Kind; second: Kind }[]): string[] {
  const { raw, kappa } = agreement(pairs)
  return [`${pairs.length}`, one(raw), kappa.toFixed(2)]
}

type Slice = readonly [name: string, belongs: (one: Example) => boolean]

function slices(): Slice[] {
  const real = ({ set }: Example) => set !== 'own'
  return [
    ['all', () => true],
    ['our own examples', (one) => !real(one)],
    ['real statements', real],
    ['real, random sample only', (one) => real(one) && !one.isPicked],
    ...Object.keys(SOURCES).flatMap((source): Slice[] => [
      [source, (one) => one.source === source],
      [`${source}, real only`, (one) => one.source === source && real(one)],
    ]),
  ]
}

function scoreCells({ examples, accuracy, macroF1, f1 }: KindScores): string[] {
  return [`${examples}`, one(accuracy), one(macroF1), ...KINDS.map((kind) => one(f1[kind]))]
}

function languages(judgements: readonly Judgement[]): string[][] {
  const languageOf = ({ text }: Example) => guessLanguage(tokenise(normalise(text)))
  const all = [...new Set(judgements.flatMap(({ judged }) => judged.map(languageOf)))].sort()
  return all.map((language) => {
    const own = judgements.map(({ judged }) => scoreKinds(judged.filter((example) => languageOf(example) === language)))
    return [language, `${own[0]?.examples ?? 0}`, ...own.map(({ macroF1 }) => one(macroF1))]
  })
}

function labelRows(examples: readonly Example[]): string[][] {
  const parts: Slice[] = [
    ['our own, training', ({ set, part }) => set === 'own' && part === 'training'],
    ['our own, evaluation', ({ set, part }) => set === 'own' && part === 'evaluation'],
    ['real, training', (example) => example.set !== 'own' && isTrainedOn(example)],
    [
      'real, for development only',
      (example) => example.set !== 'own' && example.part === 'training' && !isTrainedOn(example),
    ],
    ['real, evaluation', ({ set, part }) => set !== 'own' && part === 'evaluation'],
  ]
  return parts.map(([name, belongs]) => {
    const some = examples.filter(belongs)
    return [name, ...KINDS.map((kind) => `${some.filter((example) => example.kind === kind).length}`), `${some.length}`]
  })
}

function one(value: number | null | undefined): string {
  return typeof value === 'number' ? value.toFixed(1) : '–'
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(headings), line(headings.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

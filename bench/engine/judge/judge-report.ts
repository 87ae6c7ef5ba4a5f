import type { JudgeScores, Rates } from './simulated-judge.ts'

/** A set with a judge, or without one (null). */
export type JudgeLine = { data: string; rates: Rates | null; scores: JudgeScores }

const COLUMNS: Record<keyof JudgeScores, string> = {
  f1: 'B³ F1',
  regularF1: 'regular alone',
  groupedPrecision: 'precision of grouped',
  inScope: 'in scope grouped',
  noise: 'noise grouped',
  insights: 'insights',
  questions: 'questions',
  tokens: 'tokens per 1,000 messages',
  estimated: 'false yeses, as estimated',
}

/** The figures as a Markdown table. */
export function judgeTable(lines: readonly JudgeLine[]): string {
  const keys = Object.keys(COLUMNS) as (keyof JudgeScores)[]
  const rows = lines.map(
    ({ data, rates, scores }) =>
      `| ${data} | ${judgeOf(rates)} | ${keys.map((key) => cell(key, scores[key], rates)).join(' | ')} |`,
  )
  return [
    `| data | judge | ${keys.map((key) => COLUMNS[key]).join(' | ')} |`,
    `|---|---|${keys.map(() => '---:').join('|')}|`,
    ...rows,
  ].join('\n')
}

/** The page of figures. */
export function judgePage(heading: string, seeds: number, lines: readonly JudgeLine[]): string {
  return `# A language model as a judge

${heading}. Mean of ${seeds} runs; batches of 250. Made by \`npm run bench:judge\`.

The judge is simulated: it knows the labels and says yes to a right candidate, and to a wrong one, with the probabilities in its name ("85 / 3": 85%
and 3%). Every candidate of a question is an independent chance to err, which is harder than one choice among all. An issue is right if the
most frequent label of its messages is that of the statement. How the answers are weighed: [decisions/0048-judge.md](../decisions/0048-judge.md).

B³ F1 and precision are of all insights, emerging ones included. Tokens are estimated, with four characters each.

${judgeTable(lines)}
`
}

function judgeOf(rates: Rates | null): string {
  return rates ? `${percent(rates.trueYes)} / ${percent(rates.falseYes)}` : 'none'
}

function percent(share: number): string {
  return `${Math.round(100 * share)}`
}

function cell(key: keyof JudgeScores, value: number | null, rates: Rates | null): string {
  if (value === null) return '–'
  if (!rates && (key === 'questions' || key === 'tokens' || key === 'estimated')) return '–'
  if (key === 'tokens') return Math.round(value).toLocaleString('en-US')
  return key === 'questions' ? `${Math.round(value)}` : value.toFixed(1)
}

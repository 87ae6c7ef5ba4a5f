import { counted } from '@groundswell/connectors/kit/text/counted.ts'
import { classifyKind, prepare } from '@groundswell/engine/index.ts'
import { hasQuotes, quotesOf } from '../quotes.ts'
import { type Evaluator, type GradedPage, perPage, perResponse, shortened } from './evaluator.ts'
import { WordIndex } from './words.ts'

/** A name covers a message that has this share of the name's words, and at least two. */
const COVERED = 0.6
/** Missing ones that are shown. */
const SHOWN = 10

/** Every quote of a response is an exact part of a message. A class without quotes is not graded. */
export const quotesAreReal: Evaluator = perResponse('Quotes are real', ({ texts, responses, names }, at) => {
  const response = responses[at] ?? {}
  if (!hasQuotes(response)) return { rubrics: [] }
  const quotes = quotesOf(response)
  if (quotes.length === 0) {
    return {
      rubrics: [{ rubric: 'It has a quote', score: 0, reason: 'There is none.' }],
      issue: `“${names[at]}” has no quote`,
    }
  }
  const rubrics = quotes.map((quote) => {
    const real = texts.some((text) => quote.isIn(text))
    return {
      rubric: `“${shortened(quote.text)}” is an exact part of a message`,
      score: real ? 1 : 0,
      reason: real ? 'Found word for word.' : 'In no message of this window.',
    }
  })
  const invented = rubrics.filter(({ score }) => score === 0).length
  return {
    rubrics,
    issue: invented === 0 ? null : `“${names[at]}” has ${counted(invented, 'quote')} that nobody wrote`,
  }
})

/** Messages that report a problem or ask for something are in a response, or hold most of the words of its name. */
export const covered: Evaluator = perPage('Problems and requests covered', (page) => {
  const { texts, names, members } = page
  const index = new WordIndex(texts)
  const named = names.map((name) => index.holds(name))
  const within = new Set(members.flat())
  const due = texts.flatMap((text, at) => (asksForSomething(text) ? [at] : []))
  const missing = due.filter((at) => !within.has(at) && !named.some((holds) => (holds[at] ?? 0) >= COVERED))
  if (due.length === 0) return { rubrics: [] }
  const rubric = 'Messages with a problem or a request are in a response'
  return {
    rubrics: [
      {
        rubric,
        score: (due.length - missing.length) / due.length,
        reason: `${due.length - missing.length} of ${counted(due.length, 'message')} are.`,
      },
      ...missing
        .slice(0, SHOWN)
        .map((at) => ({ rubric, score: 0, reason: `In none: “${shortened(texts[at] ?? '')}”` })),
    ],
    issue:
      missing.length === 0
        ? null
        : `${missing.length === 1 ? '1 problem or request is' : `${missing.length} problems or requests are`} in no response`,
  }
})

function asksForSomething(text: string): boolean {
  return prepare({ id: '0', text, at: 0 }).some((statement) => {
    const { kind } = classifyKind({ text: statement.text })
    return kind === 'problem' || kind === 'request'
  })
}

/** The messages of a response have one label. */
export const preciseByLabels: Evaluator = perResponse('Precise, by the labels', (page, at) => {
  const labels = labelsOf(page, at)
  if (labels.length === 0) return { rubrics: [] }
  const [label, most] = mostFrequent(labels)
  const others = labels.length - most
  const about = label === null ? 'a label of its own' : `“${label}”`
  return {
    rubrics: [
      {
        rubric: 'Its messages have the same label',
        score: most / labels.length,
        reason: `${most} of ${counted(labels.length, 'labelled message')} have ${about}.`,
      },
    ],
    issue: others === 0 ? null : `“${page.names[at]}” holds ${counted(others, 'message')} about something else`,
  }
})

/** Every label that at least two messages of the window have has a response most of whose messages have it. */
export const completeByLabels: Evaluator = perPage('Subjects found, by the labels', (page) => {
  const counts = new Map<string, number>()
  for (const label of page.labels) if (label) counts.set(label, (counts.get(label) ?? 0) + 1)
  const due = [...counts].filter(([, number]) => number >= 2).map(([label]) => label)
  if (due.length === 0) return { rubrics: [] }
  const found = new Set(page.responses.map((_response, at) => mostFrequent(labelsOf(page, at))[0]))
  const missing = due.filter((label) => !found.has(label)).toSorted()
  const rubric = 'Subjects of at least two messages have a response'
  return {
    rubrics: [
      {
        rubric,
        score: (due.length - missing.length) / due.length,
        reason: `${due.length - missing.length} of ${counted(due.length, 'subject')} have one.`,
      },
      ...missing.map((label) => ({
        rubric,
        score: 0,
        reason: `None is about “${label}”, of ${counted(counts.get(label) ?? 0, 'message')}.`,
      })),
    ],
    issue: missing.length === 0 ? null : `${counted(missing.length, 'subject')} without a response`,
  }
})

/** The labels of the members that have one. */
function labelsOf({ members, labels }: GradedPage, at: number): (string | null)[] {
  return (members[at] ?? []).flatMap((member) => {
    const label = labels[member]
    return label === undefined ? [] : [label]
  })
}

/** The most frequent label and how many have it. Messages about nothing that others are about share no label: each counts alone. */
function mostFrequent(labels: readonly (string | null)[]): [string | null, number] {
  const counts = new Map<string, number>()
  for (const label of labels) if (label !== null) counts.set(label, (counts.get(label) ?? 0) + 1)
  const [first] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return first ?? [null, Math.min(1, labels.length)]
}

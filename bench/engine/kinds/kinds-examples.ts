import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Kind } from '@groundswell/engine/kinds/kind.ts'
import { prepare } from '@groundswell/engine/text/prepare.ts'
import { readItems } from '../largest-insights.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../../fixtures/engine/kinds')

/** The kinds of source, and the real sets that belong to each. */
export const SOURCES: Readonly<Record<string, readonly string[]>> = {
  reviews: ['app-reviews', 'app-reviews-music', 'app-reviews-fr', 'product-reviews-pt', 'restaurant-reviews-fr'],
  support: ['support-conversations'],
  social: ['support-tweets'],
  issues: ['issue-titles', 'feature-requests', 'issues-with-bodies'],
  surveys: ['survey-answers', 'course-reviews-de'],
}

/** The real sets that are trained on: their licence is permissive (docs/benchmarks/real-feedback.md). The training part of the others is for development. */
const PERMISSIVE: readonly string[] = ['survey-answers']

/**
 * A labelled statement. `set`: the name of the real set, or `own`. `role`: of its author, if the set tells it. `isPicked`: not from the
 * random sample, but to have more of the rare kinds.
 */
export type Example = {
  source: string
  set: string
  id: string
  statement: number
  part: 'training' | 'evaluation'
  kind: Kind
  text: string
  isPicked: boolean
  role?: 'customer' | 'company'
}

type Label = { id: string; statement: number; part: Example['part']; kind: Kind; picked?: string }
type OwnExample = { id: string; part: Example['part']; kind: Kind; text: string }

/** The examples written for this purpose. */
export function ownExamples(): Example[] {
  return Object.keys(SOURCES).flatMap((source) =>
    readLines<OwnExample>(`own-${source}.jsonl`).map(({ id, part, kind, text }) => ({
      source,
      set: 'own',
      id,
      statement: 0,
      part,
      kind,
      text,
      isPicked: false,
    })),
  )
}

/**
 * The labelled statements of real sets whose texts are in `folder` (`<set>.jsonl`, see docs/benchmarks/real-feedback.md); the repository
 * has only their ids. Throws where a label has no text.
 */
export function realExamples(folder: string): Example[] {
  return Object.entries(SOURCES).flatMap(([source, sets]) =>
    sets
      .filter((set) => existsSync(path.join(folder, `${set}.jsonl`)))
      .flatMap((set) => withTexts(source, set, path.join(folder, `${set}.jsonl`))),
  )
}

/** Both labels of the statements that were labelled twice. */
export function secondPass(): { source: string; first: Kind; second: Kind }[] {
  return readLines('second-pass.jsonl')
}

/** A statement that two labellers labelled without seeing each other's label. */
export type TwoLabels = { source: string; isOwn: boolean; first: Kind; second: Kind }

/** The labels of the second labeller with the first ones of the same evaluation examples. Needs no texts. Throws where there is no first label. */
export function secondLabeller(): TwoLabels[] {
  type First = { source: string; part: Example['part']; kind: Kind }
  const first = new Map<string, First>()
  for (const [source, sets] of Object.entries(SOURCES)) {
    for (const { id, part, kind } of readLines<OwnExample>(`own-${source}.jsonl`)) {
      first.set(nameOf({ set: 'own', id, statement: 0 }), { source, part, kind })
    }
    for (const set of sets) {
      for (const { id, statement, part, kind } of readLines<Label>(`real-${set}.jsonl`)) {
        first.set(nameOf({ set, id, statement }), { source, part, kind })
      }
    }
  }
  return readLines<Omit<Label, 'part'> & { set: string }>('second-labeller.jsonl').map((label) => {
    const one = first.get(nameOf(label))
    if (one?.part !== 'evaluation') throw new Error(`${nameOf(label)} is no evaluation example`)
    return { source: one.source, isOwn: label.set === 'own', first: one.kind, second: label.kind }
  })
}

function nameOf({ set, id, statement }: { set: string; id: string; statement: number }): string {
  return `${set} ${id} ${statement}`
}

/**
 * What a classifier is trained on: our own examples and those of permissive sets. A text that is also among the evaluation examples is left out:
 * some sets repeat texts.
 */
export function trainingOf(examples: readonly Example[]): Example[] {
  const evaluated = new Set(evaluationOf(examples).map(({ text }) => text.trim().toLowerCase()))
  return examples.filter((one) => isTrainedOn(one) && !evaluated.has(one.text.trim().toLowerCase()))
}

/** Whether the example is in the training part, and may be trained on. */
export function isTrainedOn({ part, set }: Example): boolean {
  return part === 'training' && (set === 'own' || PERMISSIVE.includes(set))
}

/** The real sets whose texts are not in `folder`. */
export function missingSets(folder: string): string[] {
  const sets = Object.values(SOURCES).flat()
  return sets.filter((set) => !existsSync(path.join(folder, `${set}.jsonl`)))
}

/** What a classifier is judged by. */
export function evaluationOf(examples: readonly Example[]): Example[] {
  return examples.filter(({ part }) => part === 'evaluation')
}

function withTexts(source: string, set: string, file: string): Example[] {
  const items = new Map(readItems(file).map((item) => [item.id, item]))
  const roles = rolesOf(file)
  return readLines<Label>(`real-${set}.jsonl`).map(({ id, statement, part, kind, picked }) => {
    const item = items.get(id)
    const text = item && prepare(item)[statement]?.text
    if (text === undefined) throw new Error(`${set} ${id}, statement ${statement} has a label and no text`)
    const role = roles.get(id)
    return { source, set, id, statement, part, kind, text, isPicked: picked !== undefined, ...(role && { role }) }
  })
}

function rolesOf(file: string): ReadonlyMap<string, 'customer' | 'company'> {
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"role"'))
  return new Map(
    rows.map((line) => {
      const { id, role } = JSON.parse(line) as { id: string; role: 'customer' | 'company' }
      return [id, role]
    }),
  )
}

function readLines<Line>(name: string): Line[] {
  if (!readdirSync(FOLDER).includes(name)) return []
  const lines = readFileSync(path.join(FOLDER, name), 'utf8').split('\n')
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as Line)
}

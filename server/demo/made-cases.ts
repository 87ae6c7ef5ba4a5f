import { loadCompany, loadIssues } from '@groundswell/connectors/sandbox/index.ts'
import type { Case } from '../features/evaluation/index.ts'

const MINUTE_MS = 60_000
/** Two halves of each subject. One of them is corrected. */
const HALF = 5
/** Messages about other subjects in each case. */
const BACKGROUND = 8
/** Subjects whose names say that something does not happen are always among them. */
const SUBJECTS = 16

const NEGATED = ['no ', 'not ', 'never ', 'cannot ']

/**
 * Cases for the regression check of this repository, from the made-up company's messages, their labels and the names of its subjects: as if a person had merged
 * the halves of each subject, split it from another one, and renamed both halves.
 */
export function makeCases(): Case[] {
  // Numbers for names: also the made-up company's cases name no one.
  const people = new Map<string, string>()
  const personOf = (name: string) => {
    const known = people.get(name) ?? `person ${people.size + 1}`
    people.set(name, known)
    return known
  }
  const messages = loadCompany()
    .filter(({ label, also, lang }) => label !== null && also.length === 0 && lang === 'en')
    .map(({ id, text, author, company, at, label }) => ({
      label,
      message: { id, text, author: personOf(`${author} (${company})`), at: at * MINUTE_MS },
    }))
  const of = (label: string) => messages.filter((one) => one.label === label).map(({ message }) => message)
  const isNegated = (title: string) => NEGATED.some((word) => title.includes(word))
  const subjects = loadIssues()
    .map(({ label, title }) => ({ label, title, own: of(label) }))
    .filter(({ own, title }) => own.length >= (isNegated(title) ? HALF : 2 * HALF))
    .toSorted((a, b) => Number(isNegated(b.title)) - Number(isNegated(a.title)))
    .slice(0, SUBJECTS)
  return subjects.flatMap(({ label, title, own }, at): Case[] => {
    const other = subjects[(at + 1) % subjects.length] as (typeof subjects)[number]
    const about = own.slice(0, HALF)
    const rest = own.slice(HALF, 2 * HALF)
    const others = other.own.slice(0, HALF)
    const background = messages
      .filter((one) => one.label !== label && one.label !== other.label)
      .filter((_one, index) => index % 37 === at % 37)
      .slice(0, BACKGROUND)
      .map(({ message }) => message)
    const ids = (some: typeof own) => some.map(({ id }) => id)
    const base = { about: ids(about), with: [], apart: [], name: null }
    const half = (number: number, some: typeof own): Case => ({
      ...base,
      id: `rename-${label}-${number}`,
      kind: 'rename',
      messages: [...some, ...background],
      about: ids(some),
      name: title,
    })
    return [
      ...(rest.length < 2
        ? []
        : ([
            {
              ...base,
              id: `merge-${label}`,
              kind: 'merge',
              messages: [...about, ...rest, ...background],
              with: ids(rest),
            },
            half(2, rest),
          ] as Case[])),
      {
        ...base,
        id: `split-${label}`,
        kind: 'split',
        messages: [...about, ...others, ...background],
        apart: ids(others),
      },
      half(1, about),
    ]
  })
}

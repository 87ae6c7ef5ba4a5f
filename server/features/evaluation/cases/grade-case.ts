import { contentWords, sameWord } from '../../models/index.ts'
import { shortened } from '../evaluators/evaluator.ts'
import { negates } from '../evaluators/words.ts'
import type { Answer } from '../generators/responses-of.ts'
import type { Case } from './case.ts'

/** A name agrees with that of a person if it holds at least this share of its words, and is negated where that is. */
const SAME_WORDS = 0.5

/** A grade; `reason` is a phrase for the report. */
export type Graded = { passed: boolean; reason: string }

/** Whether an answer does what the person decided. Null: it does not say, as an answer without readings about a point. */
export function gradeCase(one: Case, answer: Answer): Graded | null {
  const places = new Map(one.messages.map(({ id }, at) => [id, at]))
  const placesOf = (ids: readonly string[]) => ids.map((id) => places.get(id) as number)
  const about = placesOf(one.about)
  if (one.kind === 'point') {
    if (!answer.read) return null
    return gradeNames(
      about.flatMap((at) => answer.read?.[at] ?? []),
      one.name ?? '',
    )
  }
  if (one.kind === 'rename') return gradeNames(namesOf(answer, about), one.name ?? '')
  return gradePlaces(answer, about, { with: placesOf(one.with), apart: placesOf(one.apart) })
}

/** Messages are where most of them are: in one place with others if a response has the most of both. */
function gradePlaces(
  { members }: Answer,
  about: readonly number[],
  others: { with: readonly number[]; apart: readonly number[] },
): Graded {
  const own = mainResponses(members, about)
  const shares = (against: readonly number[]) => mainResponses(members, against).some((one) => own.includes(one))
  if (others.with.length > 0 && !shares(others.with))
    return { passed: false, reason: own.length === 0 ? 'in no response' : 'not in the response that they belong in' }
  if (others.apart.length > 0 && shares(others.apart))
    return { passed: false, reason: 'in the response that they do not belong in' }
  return { passed: true, reason: 'as the person decided' }
}

/** The responses that hold the most of these messages, by their places; several where they hold as many. */
function mainResponses(members: readonly (readonly number[])[], messages: readonly number[]): number[] {
  const wanted = new Set(messages)
  const counts = members.map((own) => own.filter((at) => wanted.has(at)).length)
  const most = Math.max(0, ...counts)
  return most === 0 ? [] : counts.flatMap((count, at) => (count === most ? [at] : []))
}

/** The names of the responses with the most of these messages. */
function namesOf({ responses, members }: Answer, about: readonly number[]): string[] {
  return mainResponses(members, about).flatMap((at) => {
    const name = responses[at]?.issue
    return typeof name === 'string' ? [name] : []
  })
}

/** One of the names has to agree with that of the person. */
function gradeNames(names: readonly string[], expected: string): Graded {
  const [first] = names
  if (first === undefined) return { passed: false, reason: 'no response is about these messages' }
  if (names.some((name) => holds(name, expected) && negates(name) === negates(expected)))
    return { passed: true, reason: 'as the person named it' }
  const lost = names.find((name) => holds(name, expected))
  return {
    passed: false,
    reason:
      lost === undefined
        ? `“${shortened(first)}” holds too few words of what the person wrote`
        : `“${shortened(lost)}” ${negates(lost) ? 'adds' : 'drops'} a negation`,
  }
}

function holds(name: string, expected: string): boolean {
  const own = contentWords(name)
  const words = contentWords(expected)
  const held = words.filter((word) => own.some((other) => sameWord(word, other))).length
  return held > 0 && held >= SAME_WORDS * words.length
}

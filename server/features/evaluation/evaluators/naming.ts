import { counted } from '@groundswell/connectors/kit/text/counted.ts'
import { keepsNegation, languageOf, prepare } from '@groundswell/engine/index.ts'
import { type Evaluator, type GradedPage, type GradedRubric, perResponse, shortened } from './evaluator.ts'
import { negates, overlap, sharedShare, WordIndex } from './words.ts'

/** Names that share more of their words are taken for one. */
const ALIKE = 0.5
/** The messages nearest to a name, in which its negations are looked up. */
const NEAREST = 3
/** A message says what a name says, or its opposite, only if it holds this share of the name. */
const SAYS_THE_SAME = 0.5
const NAME_WORDS = [2, 12] as const
const MAX_NAME = 90
const MAX_SUMMARY = 300

/** No two names of a window could be taken for one another. */
export const namesAreDistinct: Evaluator = perResponse('Names are distinct', ({ names }, at) => {
  const name = names[at] ?? ''
  const others = names.filter((_other, other) => other !== at)
  const [nearest = '', share = 0] = others
    .map((other): [string, number] => [other, sharedShare(name, other)])
    .reduce<[string, number] | []>((best, one) => (one[1] > (best[1] ?? 0) ? one : best), [])
  const reason =
    share === 0
      ? 'It shares no word with another name.'
      : `It shares ${percent(share)} of the words with “${shortened(nearest)}”.`
  return {
    rubrics: [{ rubric: 'No other name is alike', score: 1 - share, reason }],
    issue: share > ALIKE ? `“${name}” and “${nearest}” are nearly the same name` : null,
  }
})

/** A name does not say the opposite of the messages, and finds them again among all of the window. */
export const namesAreFaithful: Evaluator = perResponse('Names are faithful', (page, at) => {
  const name = page.names[at] ?? ''
  const members = page.members[at] ?? []
  if (members.length === 0) return { rubrics: [] }
  const holds = new WordIndex(page.texts).holds(name)
  const negation = negationRubric(
    page,
    name,
    members.toSorted((a, b) => (holds[b] ?? 0) - (holds[a] ?? 0)).slice(0, NEAREST),
  )
  const found = retrievalRubric(holds, members)
  return {
    rubrics: [negation, found].flatMap((one) => one ?? []),
    issue: negation && negation.score < 1 ? `“${name}” may say the opposite of its messages` : null,
  }
})

/** Null: no message says the same in the same words, so there is nothing to compare. */
function negationRubric({ texts }: GradedPage, name: string, nearest: readonly number[]): GradedRubric | null {
  const rubric = 'A “not” in the messages is in the name, and none is added'
  const language = languageOf(name)
  if (negates(name) && !nearest.some((at) => negates(texts[at] ?? ''))) {
    return { rubric, score: 0, reason: 'The name has a negation, and the messages nearest to it have none.' }
  }
  const sentences = nearest.flatMap((at) => {
    const statements = prepare({ id: '0', text: texts[at] ?? '', at: 0 }).map(({ text }) => text)
    const shares = new WordIndex(statements).holds(name)
    const best = Math.max(0, ...shares)
    return best < SAYS_THE_SAME ? [] : [statements[shares.indexOf(best)] ?? '']
  })
  if (sentences.length === 0) return null
  const lost = sentences.filter((sentence) => !keepsNegation(name, sentence, language))
  return {
    rubric,
    score: (sentences.length - lost.length) / sentences.length,
    reason: lost.length === 0 ? 'It is kept.' : `It is lost: “${shortened(lost[0] ?? '')}”.`,
  }
}

/** How often a member holds more of the name than another message; ties count half. Null: there is no other message. */
function retrievalRubric(holds: readonly number[], members: readonly number[]): GradedRubric | null {
  const own = new Set(members)
  const others = holds.filter((_share, at) => !own.has(at))
  if (others.length === 0) return null
  const wins = members.map((at) => {
    const share = holds[at] ?? 0
    return others.reduce((sum, other) => sum + (share > other ? 1 : share === other ? 0.5 : 0), 0) / others.length
  })
  const score = wins.reduce((sum, one) => sum + one, 0) / wins.length
  return {
    rubric: 'Its own messages hold more of the name’s words than others',
    score,
    reason: `They do in ${percent(score)} of all pairs of a message of its own and another one.`,
  }
}

/** The response comes again with the same messages when the window is answered again. */
export const stable: Evaluator = perResponse('Stable over repeats', ({ names, members, repeats }, at) => {
  if (repeats.length === 0) return { rubrics: [] }
  const name = names[at] ?? ''
  const own = members[at] ?? []
  const rubrics = repeats.map((repeat, number) => {
    const likeness = (other: number) =>
      own.length > 0 ? overlap(own, repeat.members[other] ?? []) : sharedShare(name, repeat.names[other] ?? '')
    const best = repeat.names
      .map((_other, other) => other)
      .reduce((most, other) => (likeness(other) > likeness(most) ? other : most), 0)
    const score = repeat.names.length === 0 ? 0 : likeness(best)
    const what = own.length > 0 ? 'of the messages' : 'of the words of the name'
    return {
      rubric: `Repeat ${number + 1} has the same response`,
      score,
      reason:
        score === 0
          ? 'None of its responses is alike.'
          : `“${shortened(repeat.names[best] ?? '')}” has ${percent(score)} ${what}.`,
    }
  })
  const lowest = Math.min(...rubrics.map(({ score }) => score))
  return { rubrics, issue: lowest < 0.5 ? `“${name}” is not in every repeat` : null }
})

const words = new Intl.Segmenter('und', { granularity: 'word' })

/** A name fits a line of a list, and a summary two sentences. */
export const rightLength: Evaluator = perResponse('Length', ({ names, responses }, at) => {
  const name = names[at] ?? ''
  const length = [...words.segment(name)].filter(({ isWordLike }) => isWordLike).length
  const fits = length >= NAME_WORDS[0] && length <= NAME_WORDS[1] && name.length <= MAX_NAME
  const summary = responses[at]?.summary
  const rubrics = [
    {
      rubric: `A name has ${NAME_WORDS.join(' to ')} words and at most ${MAX_NAME} characters`,
      score: fits ? 1 : 0,
      reason: `It has ${counted(length, 'word')} and ${counted(name.length, 'character')}.`,
    },
  ]
  if (typeof summary === 'string') {
    rubrics.push({
      rubric: `A summary has at most ${MAX_SUMMARY} characters`,
      score: summary.length > 0 && summary.length <= MAX_SUMMARY ? 1 : 0,
      reason: `It has ${counted(summary.length, 'character')}.`,
    })
  }
  return { rubrics }
})

function percent(share: number): string {
  return `${Math.round(100 * share)}%`
}

import { cosine, TfIdf, wordsOf } from './tfidf.ts'

export type Named = { name: string; texts: string[] }

/** How well names stand for their groups, 0 to 100. */
export type NamingScores = {
  /** mean reciprocal rank of the first held-out member among those of all groups, when the group's name is searched for */
  mrr: number
  /** how unlike its most alike other name a name is, in the mean; 100: no two share a word */
  distinct: number
}

/** Of each group so many members are searched among. */
const MAX_HELD_OUT = 5

/**
 * Scores names by searching for them. Held out are members that do not hold all of the name's words, so that the sentence
 * a name was taken from is never what is found; groups without such members are left out of `mrr`.
 */
export function scoreNames(groups: Named[]): NamingScores {
  const pool = groups.flatMap(({ name, texts }, group) =>
    texts
      .filter((text) => !holdsAll(text, name))
      .slice(0, MAX_HELD_OUT)
      .map((text) => ({ group, text })),
  )
  const tfIdf = new TfIdf([...groups.map(({ name }) => name), ...pool.map(({ text }) => text)])
  const names = groups.map(({ name }) => tfIdf.vector(name))
  const held = pool.map(({ group, text }) => ({ group, vector: tfIdf.vector(text) }))
  const searched = new Set(pool.map(({ group }) => group))
  let ranks = 0
  let likeness = 0
  names.forEach((name, group) => {
    const others = names.map((other, i) => (i === group ? 0 : cosine(name, other)))
    likeness += others.reduce((most, one) => Math.max(most, one), 0)
    if (!searched.has(group)) return
    const scores = held.map((one) => ({ own: one.group === group, score: cosine(name, one.vector) }))
    const best = scores.reduce((most, { own, score }) => (own ? Math.max(most, score) : most), 0)
    if (best > 0) ranks += 1 / (1 + scores.filter(({ own, score }) => !own && score >= best).length)
  })
  return {
    mrr: searched.size > 0 ? (100 * ranks) / searched.size : 0,
    distinct: groups.length > 0 ? 100 * (1 - likeness / groups.length) : 0,
  }
}

function holdsAll(text: string, name: string): boolean {
  const words = new Set(wordsOf(text))
  return wordsOf(name).every((word) => words.has(word))
}

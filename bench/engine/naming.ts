import { cosine, TfIdf, wordsOf } from './tfidf.ts'

export type Named = { name: string; texts: string[] }

/** How well names describe their groups, 0 to 100. */
export type NamingScores = {
  /**
   * mean reciprocal rank of a group's first held-out member when searching all held-out members for the group's name
   */
  mrr: number
  /** 100 minus the mean cosine with the most similar other name; 100: no two names share a word */
  distinct: number
}

/** Maximum held-out members per group. */
const MAX_HELD_OUT = 5

/**
 * Scores names by searching for them. Members that contain all words of the name are not held out, so the sentence a
 * name was taken from is never found; groups without other members are left out of `mrr`.
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
  let similarity = 0
  names.forEach((name, group) => {
    const others = names.map((other, i) => (i === group ? 0 : cosine(name, other)))
    similarity += others.reduce((most, one) => Math.max(most, one), 0)
    if (!searched.has(group)) return
    const scores = held.map((one) => ({ own: one.group === group, score: cosine(name, one.vector) }))
    const best = scores.reduce((most, { own, score }) => (own ? Math.max(most, score) : most), 0)
    if (best > 0) ranks += 1 / (1 + scores.filter(({ own, score }) => !own && score >= best).length)
  })
  return {
    mrr: searched.size > 0 ? (100 * ranks) / searched.size : 0,
    distinct: groups.length > 0 ? 100 * (1 - similarity / groups.length) : 0,
  }
}

function holdsAll(text: string, name: string): boolean {
  const words = new Set(wordsOf(text))
  return wordsOf(name).every((word) => words.has(word))
}

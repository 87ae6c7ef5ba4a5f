import type { Insight } from '@groundswell/contract/insights.ts'
import { finder, foldText, searchable } from '@groundswell/contract/values/fold-text.ts'

/**
 * The similarity of other short texts to this one, from 0 to 1: the share of common trigrams. The trigrams of this text are
 * cached, so that ten thousand names can be compared while someone types.
 */
export function likenessTo(text: string): (other: string) => number {
  const plain = plainOf(text)
  const trios = new Set<string>()
  for (let at = 0; at + 3 <= plain.length; at += 1) trios.add(plain.slice(at, at + 3))
  return (other) => {
    const name = plainOf(other)
    if (name.length < 3 || trios.size === 0) return 0
    let both = 0
    for (let at = 0; at + 3 <= name.length; at += 1) if (trios.has(name.slice(at, at + 3))) both += 1
    return Math.min(1, (2 * both) / (trios.size + name.length - 2))
  }
}

/**
 * The insights that contain every typed word in their name or number, the likeliest first: an exact number, then names that
 * start with the text, then by similarity to it and to the subject. `alike`: the numbers of the insights with the same meaning,
 * most similar first, from the server; without them names are compared with the text.
 */
export function rankInsights(
  insights: readonly Insight[],
  about: string,
  typed: string,
  alike: readonly number[] = [],
): Insight[] {
  const folded = foldText(typed.trim())
  const finds = finder(typed)
  const toText = likenessTo(about)
  const places = new Map(alike.map((number, place) => [number, place]))
  const toTyped = folded === '' ? () => 0 : likenessTo(folded)
  const ranked: { insight: Insight; rank: number }[] = []
  for (const insight of insights) {
    const name = foldText(insight.issue_name)
    const number = `#${insight.issue_number}`
    if (!finds(searchable(`${number}\n${insight.issue_name}`))) continue
    const exact = folded !== '' && (number === folded || number === `#${folded}`) ? 4 : 0
    const begins = folded !== '' && name.startsWith(folded) ? 2 : 0
    const place = places.get(insight.issue_number)
    const meaning = place === undefined ? 0 : 1 - place / alike.length
    const likely = alike.length > 0 ? meaning : toText(name)
    ranked.push({ insight, rank: exact + begins + toTyped(name) + likely })
  }
  return ranked
    .sort((a, b) => b.rank - a.rank || a.insight.issue_number - b.insight.issue_number)
    .map(({ insight }) => insight)
}

function plainOf(text: string): string {
  const words = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return words === '' ? '' : ` ${words} `
}

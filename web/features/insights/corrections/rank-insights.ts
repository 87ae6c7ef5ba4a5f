import type { Insight } from '@groundswell/contract/insights.ts'

const trios = new Map<string, ReadonlySet<string>>()

/** Names kept in pieces; beyond that many they are cut up anew. */
const KEPT_AT_MOST = 20_000

/** How alike two short texts are, from 0 to 1: the share of their runs of three letters that they have in common. */
export function likeness(one: string, other: string): number {
  const [a, b] = [triosOf(one), triosOf(other)]
  if (a.size === 0 || b.size === 0) return 0
  const [few, many] = a.size < b.size ? [a, b] : [b, a]
  let both = 0
  for (const trio of few) if (many.has(trio)) both += 1
  return (2 * both) / (a.size + b.size)
}

/**
 * The insights that hold every typed word in their name or number, the likeliest first: a number typed out, then names that
 * begin with what was typed, then by their likeness to it and to the text in question.
 */
export function rankInsights(insights: readonly Insight[], about: string, typed: string): Insight[] {
  const said = typed.trim().toLowerCase()
  const words = said.split(/\s+/).filter((word) => word !== '')
  const ranked: { insight: Insight; rank: number }[] = []
  for (const insight of insights) {
    const name = insight.issue_name.toLowerCase()
    const number = `#${insight.issue_number}`
    if (!words.every((word) => name.includes(word) || number.includes(word))) continue
    const exact = said !== '' && (number === said || number === `#${said}`) ? 4 : 0
    const begins = said !== '' && name.startsWith(said) ? 2 : 0
    ranked.push({ insight, rank: exact + begins + likeness(name, said === '' ? about : said) + likeness(name, about) })
  }
  return ranked
    .sort((a, b) => b.rank - a.rank || a.insight.issue_number - b.insight.issue_number)
    .map(({ insight }) => insight)
}

function triosOf(text: string): ReadonlySet<string> {
  const known = trios.get(text)
  if (known) return known
  const plain = ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
  const found = new Set<string>()
  for (let at = 0; at + 3 <= plain.length; at += 1) found.add(plain.slice(at, at + 3))
  if (trios.size >= KEPT_AT_MOST) trios.clear()
  trios.set(text, found)
  return found
}

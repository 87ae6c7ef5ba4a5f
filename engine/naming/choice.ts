import { type Intents, isCue } from '../text/intents.ts'
import { isRephrasing, paraphraseTest } from './paraphrases.ts'

/**
 * A possible title of a group. `quality`: readability, 0 to 1. `of`: the member it was taken from, whose vote counts
 * less, because a member's similarity to itself proves nothing.
 */
export type Candidate = { text: string; intents: Intents; quality: number; of?: Member }

/** A member of a group: the intents of each of its sentences, and the number of messages it stands for. */
export type Member = { sentences: Intents[]; weight: number }

/** Weight of a cue; a stem weighs its rarity (1 to about 9), a yes-or-no question less. */
const CUE_WEIGHT = 5
const YES_NO_WEIGHT = 2
/** Intents below this share of the group are details: they weigh less, and each lowers a title's score by a fifth. */
const RARE_SHARE = 0.1
const RARE_WEIGHT = 0.2
const RARE_PENALTY = 0.8
/** Cues that reverse the meaning: a title with one that few share would say the opposite of what the group means. */
const REVERSING_CUES = new Set(['!not', '!on', '!off', '!up', '!down', '!next', '!last'])
const WISH_CUES = new Set(['!get', '!cost'])
const EXPLANATION_CUE = /^\?(?:why|how)/
const MIN_REVERSING_SHARE = 0.2
const REVERSING_PENALTY = 0.75
/**
 * Similarity is normalised partly by the title's own intents, partly by the sentence's: the title's part, for one
 * title and for two.
 */
const OWN_SHARE_SINGLE = 0.6
const OWN_SHARE_PAIR = 0.7
/** How strongly intents shared by the whole group are discounted: for one title, and for telling two apart. */
const COMMON_EXPONENT_SINGLE = 0.25
const COMMON_EXPONENT_PAIR = 0.75
/**
 * Requirements for a second title: group size, share of a distinguishing intent, share of members it must win, and by
 * what margin.
 */
const MIN_PAIR_MEMBERS = 15
const MIN_DISTINCT_SHARE = 0.1
const MIN_WON_SHARE = 0.2
const WIN_MARGIN = 0.05
/** Weight of a title's own member, so that a single one still has a name. */
const OWN_MEMBER_WEIGHT = 0.1
/** Bonus of a pair that asks for opposite things. */
const OPPOSITE_FACTOR = 1.2
const DIFFERENT_FACTOR = 1.12
const ONE_SIDED_FACTOR = 1.06
const DISTINCTIVE_CUES = new Set([
  '!not',
  '!on',
  '!off',
  '!up',
  '!down',
  '!cost',
  '!get',
  '?why',
  '?how',
  '?where',
  '?when',
])
/** A question for a figure: `?how many`. */
const FIGURE_CUE = /^\?how ./
const OPPOSITES: [string, string][] = [
  ['!on', '!off'],
  ['!up', '!down'],
  ['!next', '!last'],
]
/** Among titles with this share of the best score, the shortest wins. */
const TIE_RATIO = 0.99
const MAX_PART_LENGTH = 56
const MAX_DETAILS = 2
const MAX_NAME_LENGTH = 110

/**
 * The title that best covers what the members say: the candidate most similar to the most members, with words
 * weighted by their rarity in the workspace. If two titles together cover clearly more, both, as `one / other`: a
 * group may have two intents about one subject. Null if no candidate shares anything.
 */
export function chooseTitle(
  candidates: Candidate[],
  members: Member[],
  rarity: (stemmed: string) => number,
  taken: (title: string) => boolean,
): string | null {
  const size = members.reduce((sum, { weight }) => sum + weight, 0)
  const shares = sharesAmong(members, size)
  const share = (intent: string) => shares.get(intent) ?? 0
  const quality = candidates.map(
    ({ intents, quality }) =>
      quality * RARE_PENALTY ** countDetails(intents, share) * REVERSING_PENALTY ** countReversals(intents, share),
  )
  const weigh = (common: number) => (intent: string) => {
    const plain = intent === '?if' ? YES_NO_WEIGHT : isCue(intent) ? CUE_WEIGHT : rarity(intent)
    return plain * (share(intent) < RARE_SHARE ? RARE_WEIGHT : 1) * (1.02 - share(intent)) ** common
  }
  const single = best(
    similarities(candidates, members, weigh(COMMON_EXPONENT_SINGLE), OWN_SHARE_SINGLE, quality),
    members,
    candidates,
  )
  if (single.at < 0) return null
  const one = (candidates[single.at] as Candidate).text
  if (size < MIN_PAIR_MEMBERS) return one
  const rows = similarities(candidates, members, weigh(COMMON_EXPONENT_PAIR), OWN_SHARE_PAIR, quality)
  return bestPair(candidates, rows, members, share, best(rows, members, candidates).sum, taken) ?? one
}

/** The share of the messages in which each intent occurs. */
function sharesAmong(members: Member[], size: number): Map<string, number> {
  const shares = new Map<string, number>()
  for (const { sentences, weight } of members) {
    const said =
      sentences.length === 1 ? (sentences[0] as Intents) : new Set(sentences.flatMap((intents) => [...intents]))
    for (const intent of said) shares.set(intent, (shares.get(intent) ?? 0) + weight / size)
  }
  return shares
}

function countDetails(intents: Intents, share: (intent: string) => number): number {
  let count = 0
  for (const intent of intents) if ((!isCue(intent) || WISH_CUES.has(intent)) && share(intent) < RARE_SHARE) count++
  return count
}

/** The number of intents that reverse what the group asks for. */
function countReversals(intents: Intents, share: (intent: string) => number): number {
  let count = 0
  for (const intent of intents)
    if (
      share(intent) < (REVERSING_CUES.has(intent) ? MIN_REVERSING_SHARE : EXPLANATION_CUE.test(intent) ? RARE_SHARE : 0)
    )
      count++
  return count
}

/** For each candidate, its similarity (0 to 1) to each member's nearest sentence, times its quality. */
function similarities(
  candidates: Candidate[],
  members: Member[],
  weightOf: (intent: string) => number,
  ownPart: number,
  quality: number[],
): Float64Array[] {
  const owners: number[] = []
  const lengths: number[] = []
  const holders = new Map<string, number[]>()
  const weights = new Map<string, number>()
  const weight = (intent: string) => {
    const known = weights.get(intent) ?? weightOf(intent)
    weights.set(intent, known)
    return known
  }
  members.forEach(({ sentences }, member) => {
    for (const intents of sentences) {
      let length = 0
      for (const intent of intents) {
        length += weight(intent)
        const held = holders.get(intent)
        if (held) held.push(owners.length)
        else holders.set(intent, [owners.length])
      }
      owners.push(member)
      lengths.push(length)
    }
  })
  const shared = new Float64Array(owners.length)
  const places = new Map(members.map((member, place) => [member, place]))
  return candidates.map(({ intents, of }, index) => {
    shared.fill(0)
    let length = 0
    for (const intent of intents) {
      const gain = weight(intent)
      length += gain
      for (const sentence of holders.get(intent) ?? []) shared[sentence] = (shared[sentence] as number) + gain
    }
    const row = new Float64Array(members.length)
    for (let sentence = 0; sentence < shared.length; sentence++) {
      const both = ownPart * length + (1 - ownPart) * (lengths[sentence] as number)
      const like = both > 0 ? ((shared[sentence] as number) / both) * (quality[index] as number) : 0
      const member = owners[sentence] as number
      if (like > (row[member] as number)) row[member] = like
    }
    const own = of && places.get(of)
    if (of && own !== undefined)
      row[own] = ((row[own] as number) * Math.max(OWN_MEMBER_WEIGHT, of.weight - 1)) / of.weight
    return row
  })
}

/** The shortest of the candidates with nearly the best score. */
function best(rows: Float64Array[], members: Member[], candidates: Candidate[]): { at: number; sum: number } {
  const sums = rows.map((row) =>
    row.reduce((total, like, member) => total + like * (members[member] as Member).weight, 0),
  )
  const most = sums.reduce((max, sum) => Math.max(max, sum), 0)
  const lengthOf = (index: number) => (candidates[index] as Candidate).text.length
  let at = -1
  sums.forEach((sum, index) => {
    if (sum === 0 || sum < most * TIE_RATIO) return
    const shorter = at < 0 ? -1 : lengthOf(index) - lengthOf(at)
    if (shorter < 0 || (shorter === 0 && sum > (sums[at] as number))) at = index
  })
  return { at, sum: most }
}

/** The two titles that cover most together, if clearly more than one alone; the one with more members first. */
function bestPair(
  candidates: Candidate[],
  rows: Float64Array[],
  members: Member[],
  share: (intent: string) => number,
  alone: number,
  taken: (title: string) => boolean,
): string | null {
  const size = members.reduce((sum, { weight }) => sum + weight, 0)
  const fit = candidates.map(
    ({ text, intents }) => text.length <= MAX_PART_LENGTH && countDetails(intents, share) <= MAX_DETAILS,
  )
  const isParaphrase = paraphraseTest()
  let chosen: string | null = null
  let most = alone * (1.2 + 3 / size)
  for (let i = 0; i < candidates.length; i++) {
    if (!fit[i]) continue
    for (let j = i + 1; j < candidates.length; j++) {
      if (!fit[j]) continue
      const { sum, first, second } = pairCoverage(rows[i] as Float64Array, rows[j] as Float64Array, members)
      if (sum * OPPOSITE_FACTOR <= most || Math.min(first, second) < MIN_WON_SHARE * size) continue
      const said = sum * contrast(candidates[i] as Candidate, candidates[j] as Candidate)
      if (said <= most) continue
      const [a, b] = [candidates[i] as Candidate, candidates[j] as Candidate]
      if (
        !addsInformation(a.intents, b.intents, share) ||
        !addsInformation(b.intents, a.intents, share) ||
        isRephrasing(a.intents, b.intents, share, MIN_DISTINCT_SHARE)
      )
        continue
      if (isParaphrase(a.intents, b.intents)) continue
      const text = first >= second ? joinTitles(a.text, b.text) : joinTitles(b.text, a.text)
      if (text.length > MAX_NAME_LENGTH || taken(text)) continue
      chosen = text
      most = said
    }
  }
  return chosen
}

/** Bonus of a pair that asks for different things rather than wording them differently. */
function contrast({ intents: a }: Candidate, { intents: b }: Candidate): number {
  for (const [one, other] of OPPOSITES) {
    if ((oneSided(a, one, other) && oneSided(b, other, one)) || (oneSided(b, one, other) && oneSided(a, other, one)))
      return OPPOSITE_FACTOR
  }
  return hasDistinctiveCue(a, b) && hasDistinctiveCue(b, a)
    ? DIFFERENT_FACTOR
    : hasDistinctiveCue(a, b) || hasDistinctiveCue(b, a)
      ? ONE_SIDED_FACTOR
      : 1
}

/** Whether it asks or requests something the other does not. */
function hasDistinctiveCue(intents: Intents, other: Intents): boolean {
  for (const intent of intents)
    if ((DISTINCTIVE_CUES.has(intent) || FIGURE_CUE.test(intent)) && !other.has(intent)) return true
  return false
}

function oneSided(intents: Intents, has: string, not: string): boolean {
  return intents.has(has) && !intents.has(not)
}

/** The joint score of two titles, and how many messages each covers clearly better than the other. */
function pairCoverage(
  a: Float64Array,
  b: Float64Array,
  members: Member[],
): { sum: number; first: number; second: number } {
  let sum = 0
  let first = 0
  let second = 0
  for (let member = 0; member < a.length; member++) {
    const one = a[member] as number
    const other = b[member] as number
    const { weight } = members[member] as Member
    sum += (one > other ? one : other) * weight
    if (one > other + WIN_MARGIN) first += weight
    else if (other > one + WIN_MARGIN) second += weight
  }
  return { sum, first, second }
}

/** Whether a title says something the other does not. A question or request alone is not enough. */
function addsInformation(intents: Intents, other: Intents, share: (intent: string) => number): boolean {
  for (const intent of intents) {
    if (other.has(intent) || share(intent) < MIN_DISTINCT_SHARE || intent === '?if') continue
    if ((intent === '?what' && other.has('?if')) || (intent === '!get' && !other.has('!not'))) continue
    return true
  }
  return false
}

/** Joins two titles; a long common beginning is written once: `I want to change my address / name`. */
function joinTitles(one: string, other: string): string {
  const a = one.split(' ')
  const b = other.split(' ')
  let same = 0
  while (same < a.length && a[same]?.toLowerCase() === b[same]?.toLowerCase()) same++
  const rest = b.slice(same)
  return same >= 4 && a.length - same <= 2 && rest.length >= 1 && rest.length <= 2
    ? `${one} / ${rest.join(' ')}`
    : `${one} / ${other}`
}

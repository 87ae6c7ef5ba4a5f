import { type Intents, isCue } from '../text/intents.ts'

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
/** Cues that reverse the meaning: a title with one that few members share would mean the opposite of what the group says. */
const REVERSING_CUES = new Set(['!not', '!on', '!off', '!up', '!down', '!next', '!last'])
const WISH_CUES = new Set(['!get', '!cost'])
const EXPLANATION_CUE = /^\?(?:why|how)/
const MIN_REVERSING_SHARE = 0.2
const REVERSING_PENALTY = 0.75
/** Similarity is normalised partly by the title's own intents, partly by the sentence's: the title's part. */
const OWN_SHARE = 0.6
/** How strongly intents shared by the whole group are discounted. */
const COMMON_EXPONENT = 0.25
/** Weight of a title's own member, so that a single one still has a name. */
const OWN_MEMBER_WEIGHT = 0.1
/** Among titles with this share of the best score, the shortest wins. */
const TIE_RATIO = 0.99

/** A candidate with its score: how much of what the members say it covers. */
export type Ranked<One extends Candidate> = { candidate: One; score: number }

/**
 * The titles that cover what the members say, best first: those most similar to the most members, with words weighted by
 * their rarity in the workspace. Of titles that are equally good the shorter comes first. Leaves out candidates that
 * share nothing with other members.
 */
export function rankTitles<One extends Candidate>(
  candidates: One[],
  members: Member[],
  rarity: (stemmed: string) => number,
): Ranked<One>[] {
  const size = members.reduce((sum, { weight }) => sum + weight, 0)
  const shares = sharesAmong(members, size)
  const share = (intent: string) => shares.get(intent) ?? 0
  const quality = candidates.map(
    ({ intents, quality }) =>
      quality * RARE_PENALTY ** countDetails(intents, share) * REVERSING_PENALTY ** countReversals(intents, share),
  )
  const weightOf = (intent: string) => {
    const plain = intent === '?if' ? YES_NO_WEIGHT : isCue(intent) ? CUE_WEIGHT : rarity(intent)
    return plain * (share(intent) < RARE_SHARE ? RARE_WEIGHT : 1) * (1.02 - share(intent)) ** COMMON_EXPONENT
  }
  const rows = similarities(candidates, members, weightOf, quality)
  return inOrder(
    candidates.map((candidate, index) => ({ candidate, score: scoreOf(rows[index] as Float64Array, members) })),
  )
}

/** The share of the messages in which each intent occurs. */
function sharesAmong(members: Member[], size: number): Map<string, number> {
  const shares = new Map<string, number>()
  for (const { sentences, weight } of members) {
    const memberIntents =
      sentences.length === 1 ? (sentences[0] as Intents) : new Set(sentences.flatMap((intents) => [...intents]))
    for (const intent of memberIntents) shares.set(intent, (shares.get(intent) ?? 0) + weight / size)
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
      const both = OWN_SHARE * length + (1 - OWN_SHARE) * (lengths[sentence] as number)
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

function scoreOf(row: Float64Array, members: Member[]): number {
  return row.reduce((total, like, member) => total + like * (members[member] as Member).weight, 0)
}

/** By score; of those with nearly the same the shortest first. */
function inOrder<One extends Candidate>(scored: Ranked<One>[]): Ranked<One>[] {
  const left = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
  const ordered: Ranked<One>[] = []
  while (left.length > 0) {
    const most = (left[0] as Ranked<One>).score
    let at = 0
    for (let i = 1; i < left.length && (left[i] as Ranked<One>).score >= most * TIE_RATIO; i++)
      if (lengthOf(left[i]) < lengthOf(left[at])) at = i
    ordered.push(...left.splice(at, 1))
  }
  return ordered
}

function lengthOf(one: Ranked<Candidate> | undefined): number {
  return one?.candidate.text.length ?? 0
}

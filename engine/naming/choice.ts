import { type Aims, isCue } from '../text/aims.ts'
import { isReworded, wordings } from './wordings.ts'

/**
 * A title that a group might bear. `quality`, 0 to 1, is how well it reads, whatever the group. `of`: the member whose words it
 * is, which does not speak for it: that one says what it says is no sign that others do.
 */
export type Candidate = { text: string; aims: Aims; quality: number; of?: Member }

/** A member of a group: the aims of each of its sentences, and how many messages it stands for. */
export type Member = { sentences: Aims[]; weight: number }

/** What a cue weighs beside a stem, which weighs its rarity (1 to about 9); a mere yes-or-no question says less. */
const CUE = 5
const ASKED = 2
/** Below this share of the group an aim is a detail: it counts less, and a title loses a fifth for each. */
const RARE = 0.1
const RARE_COUNTS = 0.2
const RARE_COSTS = 0.8
/** What turns a sentence round, said by fewer than this share, makes a title say what the group does not mean. */
const TURNS = new Set(['!not', '!on', '!off', '!up', '!down', '!next', '!last'])
const WISHES = new Set(['!get', '!cost'])
const ASKS = /^\?(?:why|how)/
const FEW_TURN = 0.2
const TURN_COSTS = 0.75
/** Of a likeness, what is measured against the title's own aims, the rest against the sentence's: for one title, and for two. */
const OWN_SINGLE = 0.6
const OWN_PAIR = 0.7
/** How much less an aim says when all of the group share it: for a single title, and for telling two apart. */
const COMMON_SINGLE = 0.25
const COMMON_PAIR = 0.75
/** A second title: what fewer say is chance, what it must say that the other does not, and whom both must win. */
const LEAST_MEMBERS = 15
const DISTINCT = 0.1
const WON = 0.2
const CLEARLY = 0.05
/** What a title's own member counts for it, so that a lone one still has a name. */
const SAID_ONCE = 0.1
/** How much more a pair says that asks for opposite things. */
const OPPOSED = 1.2
const OTHERWISE = 1.12
const HALF = 1.06
const TELLING = /^(?:!(?:not|on|off|up|down|cost|get)|\?(?:why|how|where|when|how .+))$/
const OPPOSITES: [string, string][] = [
  ['!on', '!off'],
  ['!up', '!down'],
  ['!next', '!last'],
]
/** Of titles that say so much of what the best one says, the shortest is the name. */
const AS_GOOD = 0.99
const LONGEST_PART = 56
const DETAILS = 2
const LONGEST_PAIR = 110

/**
 * The title that says best what the members of a group say, each member being its sentences: of all candidates the one that
 * has most in common with the most members, weighted by how rare its words are in the workspace. Where no single title does
 * and two together say clearly more, both, as `one / other`: a group may hold two aims of one subject. Null without a
 * candidate that shares anything.
 */
export function chooseTitle(
  candidates: Candidate[],
  members: Member[],
  rarity: (stemmed: string) => number,
  taken: (title: string) => boolean,
): string | null {
  const size = members.reduce((sum, { weight }) => sum + weight, 0)
  const shares = sharesAmong(members, size)
  const share = (aim: string) => shares.get(aim) ?? 0
  const quality = candidates.map(
    ({ aims, quality }) => quality * RARE_COSTS ** details(aims, share) * TURN_COSTS ** turns(aims, share),
  )
  const weigh = (common: number) => (aim: string) => {
    const plain = aim === '?if' ? ASKED : isCue(aim) ? CUE : rarity(aim)
    return plain * (share(aim) < RARE ? RARE_COUNTS : 1) * (1.02 - share(aim)) ** common
  }
  const single = best(likeness(candidates, members, weigh(COMMON_SINGLE), OWN_SINGLE, quality), members, candidates)
  if (single.at < 0) return null
  const one = (candidates[single.at] as Candidate).text
  if (size < LEAST_MEMBERS) return one
  const rows = likeness(candidates, members, weigh(COMMON_PAIR), OWN_PAIR, quality)
  return bestPair(candidates, rows, members, share, best(rows, members, candidates).sum, taken) ?? one
}

/** In what share of the messages each aim occurs. */
function sharesAmong(members: Member[], size: number): Map<string, number> {
  const shares = new Map<string, number>()
  for (const { sentences, weight } of members) {
    const said = sentences.length === 1 ? (sentences[0] as Aims) : new Set(sentences.flatMap((aims) => [...aims]))
    for (const aim of said) shares.set(aim, (shares.get(aim) ?? 0) + weight / size)
  }
  return shares
}

function details(aims: Aims, share: (aim: string) => number): number {
  let count = 0
  for (const aim of aims) if ((!isCue(aim) || WISHES.has(aim)) && share(aim) < RARE) count++
  return count
}

/** Whether it wants the opposite of what the group does. */
function turns(aims: Aims, share: (aim: string) => number): number {
  let count = 0
  for (const aim of aims) if (share(aim) < (TURNS.has(aim) ? FEW_TURN : ASKS.test(aim) ? RARE : 0)) count++
  return count
}

/** For each candidate how like it each member's nearest sentence is, 0 to 1, times the candidate's quality. */
function likeness(
  candidates: Candidate[],
  members: Member[],
  weightOf: (aim: string) => number,
  ownPart: number,
  quality: number[],
): Float64Array[] {
  const owners: number[] = []
  const lengths: number[] = []
  const holders = new Map<string, number[]>()
  const weights = new Map<string, number>()
  const weight = (aim: string) => {
    const known = weights.get(aim) ?? weightOf(aim)
    weights.set(aim, known)
    return known
  }
  members.forEach(({ sentences }, member) => {
    for (const aims of sentences) {
      let length = 0
      for (const aim of aims) {
        length += weight(aim)
        const held = holders.get(aim)
        if (held) held.push(owners.length)
        else holders.set(aim, [owners.length])
      }
      owners.push(member)
      lengths.push(length)
    }
  })
  const shared = new Float64Array(owners.length)
  const places = new Map(members.map((member, place) => [member, place]))
  return candidates.map(({ aims, of }, index) => {
    shared.fill(0)
    let length = 0
    for (const aim of aims) {
      const gain = weight(aim)
      length += gain
      for (const sentence of holders.get(aim) ?? []) shared[sentence] = (shared[sentence] as number) + gain
    }
    const row = new Float64Array(members.length)
    for (let sentence = 0; sentence < shared.length; sentence++) {
      const both = ownPart * length + (1 - ownPart) * (lengths[sentence] as number)
      const like = both > 0 ? ((shared[sentence] as number) / both) * (quality[index] as number) : 0
      const member = owners[sentence] as number
      if (like > (row[member] as number)) row[member] = like
    }
    const own = of && places.get(of)
    if (of && own !== undefined) row[own] = ((row[own] as number) * Math.max(SAID_ONCE, of.weight - 1)) / of.weight
    return row
  })
}

/** The shortest of those that say next to as much as the best. */
function best(rows: Float64Array[], members: Member[], candidates: Candidate[]): { at: number; sum: number } {
  const sums = rows.map((row) =>
    row.reduce((total, like, member) => total + like * (members[member] as Member).weight, 0),
  )
  const most = sums.reduce((max, sum) => Math.max(max, sum), 0)
  const lengthOf = (index: number) => (candidates[index] as Candidate).text.length
  let at = -1
  sums.forEach((sum, index) => {
    if (sum === 0 || sum < most * AS_GOOD) return
    const shorter = at < 0 ? -1 : lengthOf(index) - lengthOf(at)
    if (shorter < 0 || (shorter === 0 && sum > (sums[at] as number))) at = index
  })
  return { at, sum: most }
}

/** The two titles that say most together, if that is clearly more than one alone says; the one with more members first. */
function bestPair(
  candidates: Candidate[],
  rows: Float64Array[],
  members: Member[],
  share: (aim: string) => number,
  alone: number,
  taken: (title: string) => boolean,
): string | null {
  const size = members.reduce((sum, { weight }) => sum + weight, 0)
  const fit = candidates.map(({ text, aims }) => text.length <= LONGEST_PART && details(aims, share) <= DETAILS)
  const sameInMeaning = wordings()
  let chosen: string | null = null
  let most = alone * (1.2 + 3 / size)
  for (let i = 0; i < candidates.length; i++) {
    if (!fit[i]) continue
    for (let j = i + 1; j < candidates.length; j++) {
      if (!fit[j]) continue
      const { sum, first, second } = together(rows[i] as Float64Array, rows[j] as Float64Array, members)
      if (sum * OPPOSED <= most || Math.min(first, second) < WON * size) continue
      const said = sum * contrast(candidates[i] as Candidate, candidates[j] as Candidate)
      if (said <= most) continue
      const [a, b] = [candidates[i] as Candidate, candidates[j] as Candidate]
      if (!adds(a.aims, b.aims, share) || !adds(b.aims, a.aims, share) || isReworded(a.aims, b.aims, share, DISTINCT))
        continue
      if (sameInMeaning(a.aims, b.aims)) continue
      const text = first >= second ? joined(a.text, b.text) : joined(b.text, a.text)
      if (text.length > LONGEST_PAIR || taken(text)) continue
      chosen = text
      most = said
    }
  }
  return chosen
}

/** How much more a pair says for asking for other things than the two merely being worded otherwise. */
function contrast({ aims: a }: Candidate, { aims: b }: Candidate): number {
  for (const [one, other] of OPPOSITES) {
    if ((oneSided(a, one, other) && oneSided(b, other, one)) || (oneSided(b, one, other) && oneSided(a, other, one)))
      return OPPOSED
  }
  return asks(a, b) && asks(b, a) ? OTHERWISE : asks(a, b) || asks(b, a) ? HALF : 1
}

/** Whether it asks or wants something that the other does not. */
function asks(aims: Aims, other: Aims): boolean {
  for (const aim of aims) if (TELLING.test(aim) && !other.has(aim)) return true
  return false
}

function oneSided(aims: Aims, has: string, not: string): boolean {
  return aims.has(has) && !aims.has(not)
}

/** What two titles say together, and how many messages each says clearly better than the other. */
function together(a: Float64Array, b: Float64Array, members: Member[]): { sum: number; first: number; second: number } {
  let sum = 0
  let first = 0
  let second = 0
  for (let member = 0; member < a.length; member++) {
    const one = a[member] as number
    const other = b[member] as number
    const { weight } = members[member] as Member
    sum += (one > other ? one : other) * weight
    if (one > other + CLEARLY) first += weight
    else if (other > one + CLEARLY) second += weight
  }
  return { sum, first, second }
}

/** Whether a title says something of the group that the other does not. Merely to ask, or to want, is not enough. */
function adds(aims: Aims, other: Aims, share: (aim: string) => number): boolean {
  for (const aim of aims) {
    if (other.has(aim) || share(aim) < DISTINCT || aim === '?if') continue
    if ((aim === '?what' && other.has('?if')) || (aim === '!get' && !other.has('!not'))) continue
    return true
  }
  return false
}

/** `I want to change my address / name`: a long beginning that both share is said once, where little follows it. */
function joined(one: string, other: string): string {
  const a = one.split(' ')
  const b = other.split(' ')
  let same = 0
  while (same < a.length && a[same]?.toLowerCase() === b[same]?.toLowerCase()) same++
  const rest = b.slice(same)
  return same >= 4 && a.length - same <= 2 && rest.length >= 1 && rest.length <= 2
    ? `${one} / ${rest.join(' ')}`
    : `${one} / ${other}`
}

import { type Node } from '../state/state.ts'
import { isCue } from '../text/intents.ts'
import type { Language } from '../text/language.ts'
import { cosineOf } from '../text/packed-vectors.ts'
import { dot, meanWordVector } from '../text/word-vectors.ts'
import { isMeasure } from './details.ts'
import type { Title } from './sentences.ts'

/** A member of a group: what it says, as stems, and the number of messages it stands for. */
export type Speaker = { node: Node; stems: Set<string>; weight: number }

/** A member supports a title if its words carry this share of the title's distinctive weight. */
const MIN_SAID = 0.5
/** Words that are more common in the workspace (in three of eight texts) distinguish nothing. */
const MIN_RARITY = 2
/** A title needs a word whose information is at least this share of that of the most informative word of the group. */
const MIN_SUBJECT = 0.5
/** A word in three of five texts or more is uninformative. */
const COMMON_RARITY = 1.5
/** From this cosine on, two words mean much the same. */
const MIN_WORD_COSINE = 0.6
/** From this cosine on, two statements say much the same; the vector of a statement stands for a title that is most of it. */
const MIN_STATEMENT_COSINE = 0.5
const MIN_STATEMENT_SHARE = 0.5
/** Its words must also be used by this share of the members, on average. */
const MIN_SHARED_WORDS = 0.25

/**
 * How much of a group says what a title says, 0 to 1. `members`: the share of its messages that do. `words`: the share that
 * uses one of its words, on average. `alone`: how many of its words at most one member uses.
 */
export type Told = { members: number; words: number; alone: number }

/** The same words occur in many groups. */
const vectors = new Map<string, Float32Array>()
const MAX_VECTORS = 10_000

/** What a group says of a title and of a word. */
export type Support = {
  /** `of`: the member whose words it has, or at least their language */
  ofTitle(title: Pick<Title, 'intents'>, of: Pick<Node, 'language' | 'vector'>): Told
}

/**
 * Related words count as the same, and so do statements that an encoder finds similar. Caches its comparisons: use one for each group.
 */
export function supportIn(members: readonly Speaker[], rarity: (stemmed: string) => number): Support {
  const size = members.reduce((sum, { weight }) => sum + weight, 0)
  const stemsOfNode = new Map<unknown, Set<string>>(members.map(({ node, stems }) => [node, stems]))
  const holders = new Map<string, { stemmed: string; language: Language; members: number[]; vector?: Float32Array }>()
  members.forEach(({ node, stems }, member) => {
    for (const stemmed of stems) {
      const key = `${node.language} ${stemmed}`
      const held = holders.get(key)
      if (held) held.members.push(member)
      else holders.set(key, { stemmed, language: node.language, members: [member] })
    }
  })
  /** How informative a word is about the group: very, if many members use it and few others do. */
  const worth = (stemmed: string, share: number) => share * Math.max(0, rarity(stemmed) - COMMON_RARITY)
  let subject = 0
  for (const { stemmed, members } of holders.values())
    if (members.length > 1) subject = Math.max(subject, worth(stemmed, members.length / stemsOfNode.size))
  const known = new Map<string, Uint8Array>()
  const holdersOf = (stemmed: string, language: Language): Uint8Array => {
    const key = `${language} ${stemmed}`
    const before = known.get(key)
    if (before) return before
    const has = new Uint8Array(members.length)
    const own = vectorOf(stemmed, language, key)
    for (const held of holders.values()) {
      if (held.stemmed !== stemmed) {
        held.vector ??= vectorOf(held.stemmed, held.language, `${held.language} ${held.stemmed}`)
        if (dot(own, held.vector) < MIN_WORD_COSINE) continue
      }
      for (const member of held.members) has[member] = 1
    }
    known.set(key, has)
    return has
  }
  /** What a single member says is shared by none. */
  const shareOf = (test: (member: number) => boolean) => {
    let sum = 0
    let tellers = 0
    members.forEach(({ weight }, member) => {
      if (!test(member)) return
      sum += weight
      tellers++
    })
    return tellers > 1 || members.length === 1 ? sum / size : 0
  }
  return {
    ofTitle({ intents }, of) {
      const stems = [...intents].filter((intent) => !isCue(intent) && !isMeasure(intent))
      const rare = stems.filter((stemmed) => rarity(stemmed) >= MIN_RARITY)
      const words = rare.length > 0 ? rare : stems
      if (words.length === 0) return { words: 0, members: 0, alone: 0 }
      const perMember = new Float64Array(members.length)
      let whole = 0
      let shared = 0
      let alone = 0
      let most = 0
      for (const stemmed of words) {
        const weight = rarity(stemmed)
        whole += weight
        const has = holdersOf(stemmed, of.language)
        const share = shareOf((member) => has[member] === 1)
        shared += weight * share
        if (share === 0) alone++
        most = Math.max(most, worth(stemmed, share))
        has.forEach((has, member) => {
          if (has === 1) perMember[member] = (perMember[member] as number) + weight
        })
      }
      if (most < MIN_SUBJECT * subject) return { words: 0, members: 0, alone }
      const all = stemsOfNode.get(of)
      const isMost = all && stems.length >= MIN_STATEMENT_SHARE * all.size && shared >= MIN_SHARED_WORDS * whole
      const vector = isMost ? of.vector : undefined
      const tellers = shareOf(
        (member) =>
          (perMember[member] as number) >= MIN_SAID * whole - 1e-9 ||
          (vector !== undefined && isAlike(vector, (members[member] as Speaker).node.vector)),
      )
      return { words: shared / whole, members: tellers, alone }
    },
  }
}

function isAlike(one: Int8Array, other: Int8Array | undefined): boolean {
  return other !== undefined && cosineOf(one, other) >= MIN_STATEMENT_COSINE
}

function vectorOf(stemmed: string, language: Language, key: string): Float32Array {
  const known = vectors.get(key)
  if (known) return known
  if (vectors.size >= MAX_VECTORS) vectors.clear()
  const found = meanWordVector([stemmed], language)
  vectors.set(key, found)
  return found
}

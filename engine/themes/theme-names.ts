import { LEXICONS, type Lexicon } from '../lexicons/lexicons.ts'
import { PROBLEM } from '../naming/readability.ts'
import { nameKey } from '../naming/sentences.ts'
import { capitalise } from '../naming/titles.ts'
import { type Language, stem } from '../text/language.ts'
import { stemHash } from '../text/term-cache.ts'
import { addWordVector, DIMENSIONS, dot, knowsStem, meanWordVector } from '../text/word-vectors.ts'
import { type NounUse, readPhrases } from './noun-phrases.ts'

/** What is read of one insight for names. */
export type NamedInsight = {
  issueId: number
  /** as the engine describes it */
  name: string
  mentions: number
  texts: readonly { text: string; language: Language }[]
}

type Written = { count: number; inside: number }
/** `share`: of the texts that contain it. `forms`: how it is written, and how often not at the start of a sentence. */
type Said = { share: number; forms: Map<string, Written> }
type Candidate = { key: string; score: number }
/** Stems of words that name no theme. */
const VAGUE = new Set(
  Object.entries<Lexicon>(LEXICONS).flatMap(([language, { VAGUE_NOUNS, META_WORDS }]) =>
    [...VAGUE_NOUNS, ...META_WORDS].map((word) => stem(word, language as Language)),
  ),
)

/** An insight is about a phrase that this share of its texts contain. */
const MIN_SHARE = 0.15
/** More than this share adds nothing: wordings differ. */
const ENOUGH_SHARE = 0.6
/** The share of an insight's texts that a phrase in its name adds. */
const IN_NAME_SHARE = 0.2
/** The least share of insights that a name is about (and at least two), and the share of their texts that should have it … */
const MIN_COVERAGE = 0.5
const MIN_MEAN_SHARE = 0.2
/** What a word counts that is in few of their texts. */
const RARE_FACTOR = 0.5
/** The weight of a word far from the rest in meaning, and the assumed similarity of a word without a vector. */
const MIN_NEAR = 0.1
const UNKNOWN_NEAR = 0.4
/** How often a word must stand where nouns do, among the uses from which that can be seen. */
const MIN_NOUN_SHARE = 0.3
/** A word that stands more often than this before another one, for each time that it ends a phrase, is an adjective. */
const MAX_INSIDE = 4
/** Two words say more than one if they cover nearly as much. */
const PAIR_FACTOR = 1.25
/** Where the best name is taken, another one must have this share of its score. */
const MIN_OF_BEST = 0.15
const MAX_NAME_LENGTH = 40

/** Names themes by the nouns that their insights share. */
export class ThemeNames {
  readonly #byPhrase = new Map<number, Map<string, Said>>()
  readonly #uses = new Map<string, NounUse>()
  /** In how many insights each phrase is used. */
  readonly #spread = new Map<string, number>()
  readonly #insights: ReadonlyMap<number, NamedInsight>

  constructor(insights: readonly NamedInsight[]) {
    this.#insights = new Map(insights.map((one) => [one.issueId, one]))
    for (const insight of insights) this.#read(insight)
  }

  /** Whether a name still says what its insights are about: half of them, as for a new name, though of any word in it. */
  fits(name: string, issueIds: readonly number[]): boolean {
    const keys = new Set(readPhrases(name, 'en').phrases.map(({ key }) => key))
    const about = issueIds.filter((id) => [...keys].some((key) => this.#isAbout(id, key)))
    return about.length > 1 && about.length >= MIN_COVERAGE * issueIds.length
  }

  /**
   * The best name for these insights whose key is not `taken`; the key is added. Null: no word is said in enough of them, so that any name would
   * be wrong for the others.
   */
  choose(issueIds: readonly number[], taken: Set<string>): string | null {
    const ranked = this.#candidates(issueIds)
    for (const { key, score } of ranked) {
      if (score < MIN_OF_BEST * (ranked[0]?.score ?? 0)) break
      const name = this.#written(key, issueIds)
      if (name.length > MAX_NAME_LENGTH || taken.has(nameKey(name))) continue
      taken.add(nameKey(name))
      return name
    }
    return null
  }

  #read({ issueId, name, texts }: NamedInsight): void {
    const byPhrase = new Map<string, Said>()
    for (const { text, language } of texts) {
      const { phrases, uses } = readPhrases(text, language)
      for (const [stemmed, use] of uses) {
        const all = this.#uses.get(stemmed) ?? { heads: 0, inside: 0, ends: 0, elsewhere: 0 }
        all.heads += use.heads
        all.inside += use.inside
        all.ends += use.ends
        all.elsewhere += use.elsewhere
        this.#uses.set(stemmed, all)
      }
      const counted = new Set<string>()
      for (const { key, text: form, isFirst } of phrases) {
        const one = byPhrase.get(key) ?? { share: 0, forms: new Map<string, Written>() }
        if (!counted.has(key)) one.share += 1 / texts.length
        counted.add(key)
        const written = one.forms.get(form) ?? { count: 0, inside: 0 }
        written.count++
        if (!isFirst) written.inside++
        one.forms.set(form, written)
        byPhrase.set(key, one)
      }
    }
    const language = texts[0]?.language ?? 'en'
    for (const key of new Set(readPhrases(name, language).phrases.map((phrase) => phrase.key))) {
      const one = byPhrase.get(key)
      if (one) one.share = Math.min(1, one.share + IN_NAME_SHARE)
    }
    for (const [key, { share }] of byPhrase) {
      if (share < MIN_SHARE) byPhrase.delete(key)
      else this.#spread.set(key, (this.#spread.get(key) ?? 0) + 1)
    }
    this.#byPhrase.set(issueId, byPhrase)
  }

  #isAbout(issueId: number, key: string): boolean {
    return this.#byPhrase.get(issueId)?.has(key) ?? false
  }

  #candidates(issueIds: readonly number[]): Candidate[] {
    const sums = new Map<string, { sum: number; weight: number; insights: number }>()
    const whole = issueIds.reduce((sum, id) => sum + this.#weight(id), 0)
    for (const id of issueIds) {
      const weight = this.#weight(id) / whole
      for (const [key, { share }] of this.#byPhrase.get(id) ?? []) {
        const one = sums.get(key) ?? { sum: 0, weight: 0, insights: 0 }
        sums.set(key, {
          sum: one.sum + weight * Math.min(ENOUGH_SHARE, share),
          weight: one.weight + weight,
          insights: one.insights + 1,
        })
      }
    }
    const rarity = (key: string) => Math.log((this.#byPhrase.size + 1) / ((this.#spread.get(key) ?? 0) + 1)) * 0.5 + 1
    const centre = new Float32Array(DIMENSIONS)
    for (const [key, { sum }] of sums) {
      if (!key.includes(' ')) addWordVector(stemHash(key), 'en', sum * rarity(key), centre, 0)
    }
    const length = Math.sqrt(dot(centre, centre)) || 1
    const found: Candidate[] = []
    for (const [key, { sum, weight, insights }] of sums) {
      if (insights < Math.max(2, MIN_COVERAGE * issueIds.length) || !this.#isNoun(key)) continue
      const factor = (key.includes(' ') ? PAIR_FACTOR : 1) * (sum >= MIN_MEAN_SHARE ? 1 : RARE_FACTOR)
      const stems = key.split(' ')
      const near = stems.some((one) => knowsStem(one, 'en'))
        ? Math.max(0, dot(meanWordVector(stems, 'en'), centre) / length)
        : UNKNOWN_NEAR
      found.push({ key, score: sum * weight * rarity(key) * factor * (MIN_NEAR + near) })
    }
    found.sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
    return found
  }

  #weight(issueId: number): number {
    return Math.sqrt(this.#insights.get(issueId)?.mentions ?? 1)
  }

  #isNoun(key: string): boolean {
    const [first = '', second] = key.split(' ')
    const use = this.#uses.get(second ?? first)
    if (!use || PROBLEM.test(key) || VAGUE.has(second ?? first)) return false
    const before = this.#uses.get(first)
    if (second !== undefined && (!before || before.inside + before.heads <= before.elsewhere)) return false
    // What ends a phrase of several words may be its verb.
    const nouns = use.heads + use.ends / 2
    const isModifier = second === undefined && use.inside > MAX_INSIDE * nouns
    return nouns > 0 && !isModifier && nouns / (nouns + use.elsewhere + 1) >= MIN_NOUN_SHARE
  }

  /** The phrase as most people write it, with an initial capital; capitals at the start of sentences do not count. */
  #written(key: string, issueIds: readonly number[]): string {
    const forms = new Map<string, Written>()
    for (const id of issueIds) {
      for (const [form, { count, inside }] of this.#byPhrase.get(id)?.get(key)?.forms ?? []) {
        const one = forms.get(form) ?? { count: 0, inside: 0 }
        forms.set(form, { count: one.count + count, inside: one.inside + inside })
      }
    }
    const [best] = [...forms].sort(
      ([a, one], [b, other]) => other.inside - one.inside || other.count - one.count || (a < b ? -1 : 1),
    )
    return capitalise(best?.[0] ?? key)
  }
}

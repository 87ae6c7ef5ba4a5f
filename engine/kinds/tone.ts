import { LEXICONS, type Lexicon } from '../lexicons/lexicons.ts'
import type { Language } from '../text/language.ts'
import { normalise, tokenise } from '../text/normalise.ts'
import { PhraseTable } from './phrase-table.ts'
import { CROSS } from './shape-cues.ts'

/** How a statement speaks of its subject: it only praises, or it says what is wrong. Null: neither is clear. */
export type Tone = 'praise' | 'complaint' | null

/** UTF-16 units read of a text. */
const MAX_LENGTH = 1_000

const PRAISE = 1
const PLAIN = 2
const FRAME = 4
const AGAINST = 8
const UNSURE = 16
/** The phrase means the opposite of its single words: `no problems`. */
const WHOLE = 32

type CueName = keyof Lexicon['KIND_CUES']
/** What the cues of kinds show: a complaint, or no clear kind. */
const SHOWN_BY: Readonly<Partial<Record<CueName, number>>> = {
  negation: AGAINST,
  fault: AGAINST,
  bad: AGAINST,
  couldBetter: AGAINST,
  lack: AGAINST,
  contrast: AGAINST,
  wish: UNSURE,
  ask: UNSURE,
  helpCall: UNSURE,
  change: UNSURE,
  insult: UNSURE,
  lukewarm: UNSURE,
}
/** Phrases of theirs that also mean something harmless: `me too`, `einfach zu bedienen`. */
const HARMLESS: ReadonlySet<string> = new Set(['too', 'zu'])

/** Shorter words often mean something else in another language: German `toll`. */
const MIN_FOREIGN_LENGTH = 5

/** For each language its phrases; `foreign`: without those that may mean something in another language. */
const TABLES = new Map(
  Object.entries<Lexicon>(LEXICONS).map(([language, lexicon]) => [
    language,
    { own: tableOf(lexicon, 0), foreign: tableOf(lexicon, MIN_FOREIGN_LENGTH) },
  ]),
)

/** The foreign phrases of all languages: most texts have none, and are not read once for each language. */
const ANY_FOREIGN = new PhraseTable()
for (const lexicon of Object.values<Lexicon>(LEXICONS)) addTo(ANY_FOREIGN, lexicon, MIN_FOREIGN_LENGTH)

function tableOf(lexicon: Lexicon, minLength: number): PhraseTable {
  const table = new PhraseTable()
  addTo(table, lexicon, minLength)
  return table
}

function addTo(table: PhraseTable, { TONES, KIND_CUES }: Lexicon, minLength: number): void {
  const add = (phrases: readonly string[] | undefined, cues: number) => {
    for (const phrase of phrases ?? [])
      if ((cues & (PRAISE | PLAIN)) === 0 || phrase.length >= minLength) table.add(phrase, cues)
  }
  add(TONES.praise, PRAISE)
  add(TONES.plain, PLAIN)
  add(TONES.frame, FRAME)
  add(TONES.against, AGAINST)
  add(KIND_CUES.noComplaint, PRAISE | WHOLE)
  for (const [cue, shown] of Object.entries(SHOWN_BY)) {
    const phrases: readonly string[] = KIND_CUES[cue as CueName] ?? []
    add(
      phrases.filter((phrase) => !HARMLESS.has(phrase)),
      shown,
    )
  }
}

/**
 * The tone of a text. Praise only where nothing in it complains, wishes or asks, so that `great, another delay` and `would be great` are none;
 * a text with both complains. A question, a wish, an order, and an emoji of anger or irony leave it open. A short text says little about its language, so where the phrases of `language` tell nothing, those of the
 * others do. Reads the first 1,000 UTF-16 units. Null in languages without word lists. `known`: its tokens.
 */
export function toneOf(text: string, language: Language, known?: readonly string[]): Tone {
  const table = TABLES.get(language)
  if (!table) return null
  const read = text.slice(0, MAX_LENGTH)
  const tokens = known ?? tokenise(normalise(read))
  const isUnclear = /[?¿？]/.test(read) || CROSS.test(read)
  const own = toneIn(tokens, table.own)
  if (own !== null) return own === 'praise' && isUnclear ? null : own
  if ((cuesIn(tokens, ANY_FOREIGN) & (PRAISE | PLAIN | AGAINST)) === 0) return null
  for (const [other, { foreign }] of TABLES) {
    const tone = other === language ? null : toneIn(tokens, foreign)
    if (tone !== null) return tone === 'praise' && isUnclear ? null : tone
  }
  return null
}

/** The cues of all phrases in these tokens. */
function cuesIn(tokens: readonly string[], table: PhraseTable): number {
  let any = 0
  table.forEach(tokens, (found) => {
    any |= found
  })
  return any
}

function toneIn(tokens: readonly string[], table: PhraseTable): Tone {
  const any = cuesIn(tokens, table)
  // Most texts end here.
  if ((any & (PRAISE | PLAIN)) === 0) return (any & AGAINST) === 0 ? null : 'complaint'
  const cues = new Uint8Array(tokens.length)
  /** The places covered by a phrase that means the opposite of its single words. */
  const covered = new Uint8Array(tokens.length)
  table.forEach(tokens, (found, place, length) => {
    if (length > 1 && (found & (WHOLE | PRAISE)) !== 0) covered.fill(1, place, place + length)
  })
  let praises = false
  let complains = false
  let isUnsure = false
  table.forEach(tokens, (found, place, length) => {
    const last = place + length - 1
    cues[last] = (cues[last] as number) | found
    const isCovered = covered.subarray(place, place + length).every((one) => one === 1)
    if ((found & PRAISE) !== 0) praises = true
    else if ((found & AGAINST) !== 0 && !isCovered) complains = true
    else if ((found & UNSURE) !== 0 && !isCovered) isUnsure = true
  })
  if (complains) return 'complaint'
  const holds = (place: number, some: number) => ((cues[place] ?? 0) & some) !== 0
  const isFramed = (place: number) =>
    place === 0 ? tokens.length === 1 || holds(1, FRAME) : holds(place - 1, FRAME | PLAIN | PRAISE)
  praises ||= cues.some((cue, place) => (cue & PLAIN) !== 0 && isFramed(place))
  return praises && !isUnsure ? 'praise' : null
}

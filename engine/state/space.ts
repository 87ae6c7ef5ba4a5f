import type { Language } from '../text/language.ts'
import type { Node, State } from './state.ts'

/** Sentence vectors are compared once this share of the statements in the encoder's languages has one … */
const MIN_KNOWN_SHARE = 0.8
/** … and until fewer than this share have one, so that a late vector does not regroup everything. */
const MIN_STAYING_SHARE = 0.5

/** The language of the compared text: points are in English. */
export function comparedLanguage({ language, point }: Pick<Node, 'language' | 'point'>): Language {
  return point === undefined ? language : 'en'
}

/** Whether the encoder was made for the language of a statement's compared text. */
export function isEncoded({ space, spaceLanguages }: State, compared: Pick<Node, 'language' | 'point'>): boolean {
  const language = comparedLanguage(compared)
  return space !== '' && (spaceLanguages === null || spaceLanguages.includes(language))
}

/**
 * Changes to another encoder ('' for none): vectors of the former one are dropped, groups stay. Without any encoder, the next revisions
 * regroup by words.
 */
export function useSpace(state: State, space: string, languages: readonly Language[] | null): void {
  if (state.space === space) return
  setComparing(state, false)
  state.space = space
  state.spaceLanguages = languages
  // All of them are compared again, whether anything joins them or not.
  for (const issue of state.issues.values()) issue.changed++
  for (const node of state.nodes) {
    if (!node) continue
    delete node.vector
    if (space === '') delete node.meant
  }
}

/**
 * Sets whether revisions compare sentences. While they compare words alone, because vectors are missing, they leave in their issues what
 * was placed by comparing sentences: it has no words in common, and issues must not end because of a large import or a new encoder.
 */
export function setComparing(state: State, bySentences: boolean): void {
  for (const node of state.nodes) {
    if (!node) continue
    if (bySentences) delete node.meant
    else if (state.bySentences && node.vector && node.issue > 0) node.meant = true
  }
  state.bySentences = bySentences
}

/** Whether revisions leave this node in its issue. */
export function isKept({ meant = false, issue }: Node): boolean {
  return meant && issue > 0
}

/** Whether the next revision compares sentence vectors rather than words alone. */
export function comparesSentences(state: State): boolean {
  if (state.space === '') return false
  let encoded = 0
  let known = 0
  for (const node of state.nodes) {
    if (!node || node.text === '' || !isEncoded(state, node)) continue
    encoded++
    if (node.vector) known++
  }
  return encoded > 0 && known >= encoded * (state.bySentences ? MIN_STAYING_SHARE : MIN_KNOWN_SHARE)
}

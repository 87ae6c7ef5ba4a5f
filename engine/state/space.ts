import type { Language } from '../text/language.ts'
import type { State } from './state.ts'

/** Sentence vectors are compared once this share of the statements in the encoder's languages has one … */
const MIN_KNOWN_SHARE = 0.8
/** … and until fewer than this share have one, so that a late vector does not regroup everything. */
const MIN_STAYING_SHARE = 0.5

/** Whether the encoder was made for this language. */
export function isEncoded({ space, spaceLanguages }: State, language: Language): boolean {
  return space !== '' && (spaceLanguages === null || spaceLanguages.includes(language))
}

/** Changes to another encoder ('' for none): vectors of the former one are dropped, groups stay. */
export function useSpace(state: State, space: string, languages: readonly Language[] | null): void {
  if (state.space === space) return
  state.space = space
  state.spaceLanguages = languages
  for (const node of state.nodes) if (node) delete node.vector
}

/** Whether the next revision compares sentence vectors rather than words alone. */
export function comparesSentences(state: State): boolean {
  if (state.space === '') return false
  let encoded = 0
  let known = 0
  for (const node of state.nodes) {
    if (!node || node.text === '' || !isEncoded(state, node.language)) continue
    encoded++
    if (node.vector) known++
  }
  return known >= encoded * (state.bySentences ? MIN_STAYING_SHARE : MIN_KNOWN_SHARE)
}

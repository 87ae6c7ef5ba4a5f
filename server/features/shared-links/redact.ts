/** Deliberately loose: anything that looks like an e-mail address is masked. */
const EMAIL = /[^\s<>()[\]"',;:]+@[^\s<>()[\]"',;:]+\.[^\s<>()[\]"',;:]*[^\s<>()[\]"',;:.!?]/gu
const MIN_NAME = 2

/** A text without e-mail addresses and without these names, in whatever case they are written. */
export function withoutNames(text: string, names: readonly (string | null)[] = []): string {
  let shown = text.replaceAll(EMAIL, '[e-mail]')
  for (const name of partsOf(names)) {
    const written = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    shown = shown.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}])${written}(?![\\p{L}\\p{N}])`, 'giu'), '[name]')
  }
  return shown
}

/** Whole names, then their words, longest first. */
function partsOf(names: readonly (string | null)[]): string[] {
  const known = names.flatMap((name) => (name === null ? [] : [name.trim().replace(/^@/, '')]))
  const words = known.flatMap((name) => name.split(/[\s,]+/).filter((word) => /^\p{Lu}/u.test(word)))
  return [...new Set([...known, ...words])].filter((one) => one.length >= MIN_NAME).sort((a, b) => b.length - a.length)
}

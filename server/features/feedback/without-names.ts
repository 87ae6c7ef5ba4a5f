/** Characters that an e-mail address can be made of. */
const RUN = /[^\s<>()[\]"',;:]+/gu
const END_OF_SENTENCE = '.!?'
const MIN_NAME = 2

/** A text without e-mail addresses and without these names, in whatever case they are written. */
export function withoutNames(text: string, names: readonly (string | null)[] = []): string {
  const shown = text.replaceAll(RUN, withoutEmail)
  const written = partsOf(names).map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  if (written.length === 0) return shown
  return shown.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}])(?:${written.join('|')})(?![\\p{L}\\p{N}])`, 'giu'), '[name]')
}

/**
 * A run of such characters without the e-mail address in it. Not too exact: anything of the form `a@b.c` counts. It reads a run once, whatever
 * customers wrote: a single expression would take minutes on thousands of `@`.
 */
function withoutEmail(run: string): string {
  let end = run.length
  while (END_OF_SENTENCE.includes(run.charAt(end - 1)) && end > 0) end -= 1
  const address = run.slice(0, end)
  const at = address.indexOf('@', 1)
  return at !== -1 && address.lastIndexOf('.') > at + 1 ? `[e-mail]${run.slice(end)}` : run
}

/** Whole names, then their words, longest first. */
function partsOf(names: readonly (string | null)[]): string[] {
  const known = names.flatMap((name) => (name === null ? [] : [name.trim().replace(/^@/, '')]))
  const words = known.flatMap((name) => name.split(/[\s,]+/).filter((word) => /^\p{Lu}/u.test(word)))
  return [...new Set([...known, ...words])].filter((one) => one.length >= MIN_NAME).sort((a, b) => b.length - a.length)
}

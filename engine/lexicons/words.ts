/** The words of a whitespace-separated list. */
export function words(list: string): readonly string[] {
  return list.trim().split(/\s+/)
}

/** The phrases of a comma-separated list, each of one or more words. */
export function phrases(list: string): readonly string[] {
  return list.split(',').map((phrase) => phrase.trim().replace(/\s+/g, ' '))
}

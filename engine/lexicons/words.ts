/** The words of a whitespace-separated list. */
export function words(list: string): readonly string[] {
  return list.trim().split(/\s+/)
}

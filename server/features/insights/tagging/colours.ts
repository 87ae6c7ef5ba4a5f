/** Colours that can be told apart in light and dark mode. */
const COLOURS = ['#2f7ed8', '#c2571a', '#3f8f3f', '#a8489b', '#8a6d1f', '#6f5fc9', '#b83a4b', '#2a8f8f']

/**
 * The colour of a value: always the same for the same text, ignoring case. The `options` of one tag have different colours, as long
 * as there are enough.
 */
export function colourOf(value: string, options: readonly string[] = []): string {
  const wanted = value.toLowerCase()
  const taken = new Set<number>()
  for (const option of options) {
    let place = placeOf(option)
    if (taken.size === COLOURS.length) taken.clear()
    while (taken.has(place)) place = (place + 1) % COLOURS.length
    taken.add(place)
    if (option.toLowerCase() === wanted) return COLOURS[place] as string
  }
  return COLOURS[placeOf(value)] as string
}

function placeOf(value: string): number {
  let sum = 0
  for (const letter of value.toLowerCase()) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003
  return sum % COLOURS.length
}

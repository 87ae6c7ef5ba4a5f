/** Text on one line, cut to `most` characters with `…` at the end. Characters are never split. */
export function oneLine(text: string, most = Number.POSITIVE_INFINITY): string {
  const characters = Array.from(text.replace(/\s+/g, ' ').trim())
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most - 1).join('')}…`
}

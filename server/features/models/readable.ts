/** A text as it is shown, and where in the original each of its UTF-16 units starts and ends. */
export type Readable = { plain: string; starts: number[]; ends: number[] }

const PARTS =
  /(?<address>\bhttps?:\/\/\S+|\bwww\.\S+|[^\s@<>]{1,64}@[^\s@<>]+\.[^\s@<>]+)|(?<line>\s*\n\s*)|(?<blank>\s+)|(?<invisible>\p{C})/giu

/**
 * A text without links, e-mail addresses and invisible characters and with runs of white space reduced to one character, mapped to
 * the original, so that what a model copies from it can be found there.
 */
export function readable(text: string): Readable {
  const result: Readable = { plain: '', starts: [], ends: [] }
  const pieces: string[] = []
  const add = (shown: string, start: number, end: number) => {
    pieces.push(shown)
    result.starts.push(start)
    result.ends.push(end)
  }
  let at = 0
  const copyUntil = (end: number) => {
    for (; at < end; at++) add(text[at] as string, at, at + 1)
  }
  for (const match of text.matchAll(PARTS)) {
    const { address, line, blank } = match.groups ?? {}
    copyUntil(match.index)
    at = match.index + match[0].length
    if (address !== undefined) add('…', match.index, at)
    else if (line !== undefined) add('\n', match.index, at)
    else if (blank !== undefined) add(' ', match.index, at)
  }
  copyUntil(text.length)
  result.plain = pieces.join('')
  return result
}

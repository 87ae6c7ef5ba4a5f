/** Collects text as a browser lays it out: white space collapses, line breaks are explicit, at most one empty line follows another. */
export type TextSink = {
  /** `exact` keeps white space and line breaks. */
  write(text: string, exact?: boolean): void
  /** A line break; with `atLeast`, only as many as are missing before the next text. */
  breakLine(atLeast?: number): void
  /** Its own line that stays in the text, for a mark. */
  mark(line: string): void
  /** A tag was here: a `<` before it must not become markup with what follows. */
  separate(): void
  position(): number
  /** The text since a position. */
  since(position: number): string
  text(): string
}

const MAX_BREAKS = 2
/** Invisible characters that only separate words, and private ones, which are used as marks. */
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff\ue000-\uf8ff]/gu

/** A text without NUL, soft hyphens, zero-width spaces and private characters. */
export const withoutInvisible = (text: string) => text.replaceAll('\0', '').replace(INVISIBLE, '')

/** An empty sink. */
export function createTextSink(): TextSink {
  const parts: string[] = []
  let breaks = 0
  let space = false
  let separated = false

  const push = (text: string) => {
    if (text === '') return
    const last = parts.at(-1)
    if (breaks > 0 && last !== undefined) parts.push('\n'.repeat(breaks))
    else if (space && last !== undefined) parts.push(' ')
    // What follows a tag could complete a `<` in front of it to a tag of its own.
    else if (separated && last !== undefined && /<\/?$/.test(last)) parts.push(' ')
    parts.push(text)
    breaks = 0
    space = false
    separated = false
  }

  const sink: TextSink = {
    write(text, exact = false) {
      const clean = withoutInvisible(text)
      if (exact) {
        for (const [index, line] of clean.split(/\r\n|\r|\n/).entries()) {
          if (index > 0) sink.breakLine()
          push(line)
        }
        return
      }
      const words = clean.replace(/\s+/g, ' ')
      if (words.startsWith(' ')) space = true
      push(words.trim())
      if (words.length > 1 && words.endsWith(' ')) space = true
    },
    breakLine(atLeast) {
      breaks = atLeast === undefined ? Math.min(breaks + 1, MAX_BREAKS) : Math.max(breaks, atLeast)
      space = false
    },
    mark(line) {
      sink.breakLine(1)
      push(line)
      sink.breakLine(1)
    },
    separate() {
      separated = true
    },
    position: () => parts.length,
    since: (position) => parts.slice(position).join('').trim(),
    text: () => parts.join('').toWellFormed(),
  }
  return sink
}

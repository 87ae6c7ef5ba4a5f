const ONLY_ASCII = /^[\0-\x7f]*$/
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
}

/**
 * A text as searches compare it: in lower case, without accents, letters of full and half width as one, ß as ss. `search_fold` in the database does
 * the same.
 */
export function foldText(text: string): string {
  if (ONLY_ASCII.test(text)) return text.toLowerCase()
  return text
    .replace(/[™℠©®]/g, ' ')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u00ad\u200b\u2060\ufeff]+/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[ßæœøłđħıς]/g, (letter) => LETTERS[letter] as string)
}

/** A part of a search between spaces, or a phrase from double quotes, with single spaces. */
export type SearchPart = { text: string; quoted: boolean }

/** Splits a search into its parts, in their order. A quote that is not closed belongs to a word. */
export function splitSearch(typed: string): SearchPart[] {
  return [...typed.toWellFormed().matchAll(/["“„]([^"“”„]*)["“”]|(\S+)/g)].flatMap(([, phrase, word]) => {
    const text = word ?? phrase?.replace(/\s+/g, ' ').trim() ?? ''
    return text === '' ? [] : { text, quoted: word === undefined }
  })
}

/** A text to search in: `folded`, and as `written`, for what is quoted. */
export type SearchableText = { folded: string; written: string }

/** Prepares a text for the function that `finder` returns. */
export function searchable(text: string): SearchableText {
  return { folded: foldText(text), written: text.normalize().toLowerCase() }
}

/** Whether a text has each part of a search anywhere in it; what is quoted, with its accents. */
export function finder(typed: string): (text: SearchableText) => boolean {
  const parts = splitSearch(typed).map(({ text, quoted }) =>
    quoted ? { ...searchable(text), quoted } : { ...searchable(text.replace(/["“”„]/g, '')), quoted },
  )
  return ({ folded, written }) =>
    parts.every((part) => (part.quoted ? written.includes(part.written) : folded.includes(part.folded)))
}

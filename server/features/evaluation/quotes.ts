/** A quote of a response. */
export type Quote = { text: string; isIn(message: string): boolean }

/** The keys under which responses hold quotes. */
const KEYS = ['quotes', 'evidence', 'quote']

/** The quotes of a response of any class, its empty ones left out. Spaces and line breaks count as one. */
export function quotesOf(response: Record<string, unknown>): Quote[] {
  const values = KEYS.flatMap((key) => response[key] ?? [])
  return values.flatMap((value) => {
    const text = typeof value === 'string' ? spaced(value) : ''
    return text === '' ? [] : [{ text, isIn: (message: string) => spaced(message).includes(text) }]
  })
}

/** Whether responses of this kind have quotes at all. */
export function hasQuotes(response: Record<string, unknown>): boolean {
  return KEYS.some((key) => key in response)
}

/** A text in NFC, with single spaces between its words. */
export function spaced(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim()
}

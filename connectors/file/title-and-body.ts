/** What a program puts at the end of a title that it cut off. */
const CUT = /\s*(?:…|\.{3})$/
const ENDS = /[\s.!?:;,…]+$/u
const WORD = /^[\p{L}\p{N}]/u

/**
 * A title and the text below it, as one message. A title with which the text begins is not repeated, also where it was cut off or has another
 * case; one alone is the message.
 */
export function titleAndBody(title: string, body: string): string {
  if (title === '' || begins(body, title)) return body
  return body === '' ? title : `${title}\n\n${body}`
}

function begins(body: string, title: string): boolean {
  if (body.startsWith(title)) return true
  const isCut = CUT.test(title)
  const [start, whole] = [comparable(title.replace(ENDS, '')), comparable(body)]
  if (start === '' || !whole.startsWith(start)) return false
  return isCut || !WORD.test(whole.slice(start.length))
}

const comparable = (text: string) => text.toLowerCase().replace(/\s+/g, ' ').trim()

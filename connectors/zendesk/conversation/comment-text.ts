import { htmlText } from '../../kit/text/html-text.ts'
import { splitMail } from '../../kit/text/mail-parts.ts'
import type { Comment } from '../schema.ts'

/**
 * What the author of a comment wrote, as plain text: without the mail it answers and without the signature. A comment that is nothing
 * else, such as a forwarded mail, is read as a whole.
 */
export function commentText({ html_body, plain_body, body }: Comment): string {
  const { text, quoted } = html_body ? htmlText(html_body) : splitMail(clean(plain_body || body || ''))
  return clean(text || quoted).trim()
}

/** As a database can store it. */
const clean = (text: string) => text.replaceAll('\0', '').toWellFormed()

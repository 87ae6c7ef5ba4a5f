/** The longest link of a message that is stored. */
export const MAX_LINK = 2_048

/** Characters that are not shown, and halves of surrogate pairs: the page would not be the one whose address is shown. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

/**
 * Whether a text is the complete address of a web page: http or https, with a host, and without a user name or invisible characters. `javascript:` and
 * `data:` run or show what their author wrote; `//host` and paths mean something else on every page. A backslash beside the host is a
 * slash for browsers and a part of the host for others.
 */
export function isWebAddress(text: string | null | undefined): text is string {
  if (typeof text !== 'string' || UNSEEN.test(text)) return false
  if (!/^https?:\/\/[^/?#\\]+(?:[/?#]|$)/i.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

/** A link from a provider or a file, to be stored or passed on; null for what may not be a link: its item is kept without it. */
export function safeLink(link: string | null | undefined): string | null {
  return isWebAddress(link) && link.length <= MAX_LINK ? link : null
}

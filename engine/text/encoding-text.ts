const LINK = /\b(?:https?:\/\/|www\.)\S+/giu
/** Whom a message is addressed to. */
const LEADING_HANDLES = /^(?:[\s.]*@[\p{L}\p{N}_]+[\s:,]*)+/u
const HANDLE = /(^|[\s(])[@#](?=[\p{L}\p{N}_])/gu

/**
 * What a sentence encoder should read of a statement: links and addressees say nothing about the subject, but make all messages of a channel similar. The whole text if nothing else is left.
 */
export function textToEncode(text: string): string {
  const told = text.replace(LEADING_HANDLES, '').replace(LINK, ' ').replace(HANDLE, '$1').replace(/\s+/gu, ' ').trim()
  return told === '' ? text : told
}

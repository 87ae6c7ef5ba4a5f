const MAX_LENGTH = 240

/** Text without links and e-mail addresses. */
export function withoutAddresses(text: string): string {
  return text.replace(/\b(?:https?:\/\/|www\.)\S+/gi, '…').replace(/[^\s@<>]{1,64}@[^\s@<>]+\.[^\s@<>]+/g, '…')
}

/** Text as one line of at most `maxLength` characters, without invisible ones. */
export function oneLine(text: string, maxLength: number = MAX_LENGTH): string {
  const visible = text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/\p{C}/gu, '')
  const line = visible.replace(/\s+/g, ' ').trim()
  if (line.length <= maxLength) return line
  const cut = line.slice(0, maxLength)
  return cut
    .slice(0, Math.max(cut.lastIndexOf(' '), maxLength - 40))
    .toWellFormed()
    .replace('\ufffd', '')
    .trim()
}

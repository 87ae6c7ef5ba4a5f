/** A message without what its writer did not write: earlier messages (`quoted`) and the signature, each empty if there is none. */
export type MailText = { text: string; quoted: string; signature: string }

/** A line where a quoted message was removed. A private character: no other line can be equal to it. */
export const QUOTE_MARK = '\uE000'

/** Lines around a passage that its writer set off as a quotation: their own words, unless it is the mail that they answer. */
export const QUOTATION_BEGINS = '\uE001'
/** The line after such a passage. */
export const QUOTATION_ENDS = '\uE002'

const MAX_SIGNATURE_LINES = 12
const MAX_SIGNATURE = 1000
/** Attribution lines and header blocks are short; longer lines are never examined. */
const MAX_LINE = 300

const SEPARATOR =
  /^-{2,}\s*(?:original message|ursprüngliche nachricht|originalnachricht|mensaje original|message d['’]origine|message original|mensagem original)\s*-{2,}$/i
const FROM = /^\**(?:from|von|de|expéditeur|remetente)\s?:\**\s*\S/i
const SENT = /^\**(?:sent|date|gesendet|datum|enviado(?: el| em)?|enviada(?: em)?|fecha|envoyé(?: le)?|data)\s?:/i
const RECIPIENT = /^\**(?:to|an|para|à|a|cc|subject|betreff|asunto|objet|assunto)\s?:/i
/** "On … wrote:" with a date, on one line or two. */
const WROTE =
  /^(?:on\s.{0,200}\d.{0,200}\swrote|am\s.{0,200}\d.{0,200}\sschrieb\b.{0,100}|el\s.{0,200}\d.{0,200}\sescribió|le\s.{0,200}\d.{0,200}\sa écrit|(?:em|a|no dia)\s.{0,200}\d.{0,200}\sescreveu)\s?:$/i
/** A time of day or an address, which mail programs write into that line. */
const BY_PROGRAM = /\d\s?[:h]\s?\d{2}|\d\s?(?:[ap]\.?\s?m\b|uhr\b|h\b)|@/i
const BEGINS = /^(?:on|am|el|le|em|a|no dia)\s/i
/** All marks. Each has its own line. */
const MARKS = /[\uE000-\uE002]/g
const RULE = /^[_=*-]{5,}$/

/**
 * Splits the text of a mail where its writer's words end: at an original message, its header block or its attribution line, in
 * English, German, Spanish, French and Portuguese, at quotations that nothing follows, and at the signature's `--`. A quotation with
 * more of the writer's words below it stays in the text. `quoted` and `signature` were already identified by the markup.
 */
export function splitMail(main: string, quoted = '', signature = ''): MailText {
  const kept: string[] = []
  const cut: string[] = []
  const lines = main.split('\n').map((line) => line.trimEnd())
  let index = 0
  while (index < lines.length) {
    const line = lines[index] ?? ''
    if (line === QUOTATION_BEGINS) {
      const end = quotationEnd(lines, index)
      const to = beginsMail(lines, index + 1) ? cut : kept
      for (const one of lines.slice(index, end)) to.push(one)
      index = end
      continue
    }
    if (SEPARATOR.test(short(line)) || isHeaderBlock(lines, index)) {
      cut.push(...lines.splice(index))
      break
    }
    const attribution = attributionLength(lines, index)
    if (attribution === 0) {
      kept.push(line)
      index += 1
      continue
    }
    // What follows is quoted: a removed part, lines with `>`, or else the rest. People begin sentences like that too: a mail program adds a time or an address.
    const attributed = lines.slice(index, index + attribution).join(' ')
    let end = index + attribution
    while (lines[end] === '') end += 1
    if (lines[end] === QUOTE_MARK) end += 1
    else if (lines[end] === QUOTATION_BEGINS) end = quotationEnd(lines, end)
    else if (lines[end]?.startsWith('>')) while (lines[end]?.startsWith('>')) end += 1
    else if (BY_PROGRAM.test(attributed)) end = lines.length
    else {
      kept.push(line)
      index += 1
      continue
    }
    cut.push(...lines.slice(index, end))
    index = end
  }
  const below = cutEnd(kept)
  const from = kept.lastIndexOf('--')
  const signed = from < 0 ? [] : kept.slice(from + 1)
  const isSignature =
    from > kept.lastIndexOf(QUOTATION_ENDS) &&
    signed.length <= MAX_SIGNATURE_LINES &&
    signed.join('\n').length <= MAX_SIGNATURE
  if (isSignature) kept.splice(from)
  const above = isSignature ? cutEnd(kept) : []
  return {
    text: join([kept.join('\n')]),
    quoted: join([above.join('\n'), below.join('\n'), cut.join('\n'), quoted]),
    signature: join([isSignature ? signed.join('\n') : '', signature]),
  }
}

/** Removes what says nothing at the end, and the quotations there, which are returned. */
function cutEnd(kept: string[]): string[] {
  const cut: string[][] = []
  for (let last = kept.at(-1); last !== undefined; last = kept.at(-1)) {
    if (last === QUOTATION_ENDS) cut.unshift(kept.splice(kept.lastIndexOf(QUOTATION_BEGINS)))
    else if (last === '' || last === QUOTE_MARK || RULE.test(short(last))) kept.pop()
    else break
  }
  return cut.flat()
}

/** The index after a quotation, which never contains another one. */
function quotationEnd(lines: readonly string[], index: number): number {
  const end = lines.indexOf(QUOTATION_ENDS, index)
  return end < 0 ? lines.length : end + 1
}

/** Whether an earlier mail begins at the first line with a text, with its separator, header or attribution. */
function beginsMail(lines: readonly string[], from: number): boolean {
  let index = from
  while (lines[index] === '' || lines[index] === QUOTE_MARK) index += 1
  return SEPARATOR.test(short(lines[index] ?? '')) || isHeaderBlock(lines, index) || attributionLength(lines, index) > 0
}

const short = (line: string) => (line.length <= MAX_LINE ? line.trim() : '')

/** The header of the earlier message as Outlook shows it: sender, date and a recipient or subject in the next lines. */
function isHeaderBlock(lines: readonly string[], index: number): boolean {
  if (!FROM.test(short(lines[index] ?? ''))) return false
  const next = lines.slice(index + 1, index + 7).map(short)
  return next.some((line) => SENT.test(line)) && next.some((line) => RECIPIENT.test(line))
}

/** The number of lines, 0 to 2, of the attribution at an index. */
function attributionLength(lines: readonly string[], index: number): number {
  const line = short(lines[index] ?? '')
  if (!BEGINS.test(line)) return 0
  if (WROTE.test(line)) return 1
  return WROTE.test(`${line} ${short(lines[index + 1] ?? '')}`) ? 2 : 0
}

/** Texts below each other, without the marks and without more than one empty line in a row. */
function join(texts: readonly string[]): string {
  const lines = texts
    .filter((text) => text !== '')
    .join('\n\n')
    .replace(MARKS, '')
  return lines
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** A message without what its writer did not write: earlier messages (`quoted`) and the signature, each empty if there is none. */
export type MailText = { text: string; quoted: string; signature: string }

/** A line where a quoted message was removed. A private character: no other line can be equal to it. */
export const QUOTE_MARK = '\uE000'

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
const BEGINS = /^(?:on|am|el|le|em|a|no dia)\s/i
const RULE = /^[_=*-]{5,}$/

/**
 * Splits the text of a mail where its writer's words end: at an original message, its header block or its attribution line, in
 * English, German, Spanish, French and Portuguese, and at the signature's `--`. `quoted` and `signature` are what the markup
 * already identified as such.
 */
export function splitMail(main: string, quoted = '', signature = ''): MailText {
  const kept: string[] = []
  const cut: string[] = []
  const lines = main.split('\n').map((line) => line.trimEnd())
  let index = 0
  while (index < lines.length) {
    const line = lines[index] ?? ''
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
    // What follows is quoted: a removed part, lines with `>`, or else the rest.
    let end = index + attribution
    while (lines[end] === '') end += 1
    if (lines[end] === QUOTE_MARK) end += 1
    else if (lines[end]?.startsWith('>')) while (lines[end]?.startsWith('>')) end += 1
    else end = lines.length
    cut.push(...lines.slice(index, end))
    index = end
  }
  while (kept.length > 0 && (kept.at(-1) === '' || RULE.test(short(kept.at(-1) ?? '')) || kept.at(-1) === QUOTE_MARK))
    kept.pop()
  const from = kept.lastIndexOf('--')
  const signed = from < 0 ? [] : kept.slice(from + 1)
  const isSignature = from >= 0 && signed.length <= MAX_SIGNATURE_LINES && signed.join('\n').length <= MAX_SIGNATURE
  return {
    text: join([(isSignature ? kept.slice(0, from) : kept).join('\n')]),
    quoted: join([cut.join('\n'), quoted]),
    signature: join([isSignature ? signed.join('\n') : '', signature]),
  }
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
    .replaceAll(QUOTE_MARK, '')
  return lines
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

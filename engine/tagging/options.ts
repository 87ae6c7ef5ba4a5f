import { signsOfAll } from '../lexicons/lexicons.ts'

/** A value named in a description, with what the description says about it. */
export type ListedOption = { label: string; about: string }

const MAX_OPTIONS = 40
const MAX_LABEL_LENGTH = 40

const sign = signsOfAll('OPTION_SIGNS')
const tagSign = signsOfAll('TAG_SIGNS')

/** Openings of descriptions about one subject, whatever they list. */
const SUBJECT_START = new RegExp(`^(?:${sign('subjectLead')}\\s+){0,4}${sign('subjectStart')}\\b`, 'iu')
/** Openings of descriptions that ask for a value. */
const OPEN_START = new RegExp(`^(?:[\\p{L}'’]+[\\s:]+){0,4}?${sign('openStart')}\\b`, 'iu')
const LIST_LEAD = new RegExp(`\\b${sign('listLead')}(?![\\p{L}\\p{N}])\\s*:?\\s*`, 'iu')
const CHOICE_LEAD = new RegExp(sign('choiceLead'), 'i')
const EXAMPLES = new RegExp(`${tagSign('example')}[,:]?\\s+`, 'iu')
const SEPARATOR = new RegExp(
  `\\s*[,;]\\s*(?:${sign('commaSeparator')}\\s+)?|\\s+${sign('separator')}\\s+|\\s+[/|]\\s+`,
  'iu',
)
const LABEL_START = new RegExp(`^(?:[-*•"“„'‘«\\s]+|${sign('labelStart')}\\s+)+`, 'iu')
const LABEL_END = new RegExp(`(?:^|\\s+)${sign('labelEnd')}(?:\\s.*)?$`, 'isu')
const NOT_LABELS = new RegExp(`^${sign('notLabel')}$`, 'iu')
const FUNCTION_WORD = new RegExp(`(?:^|\\s)${sign('functionWord')}(?:\\s|$)`, 'iu')
const QUOTED_MENTION = new RegExp(`${sign('quotedMention')}\\s*:?\\s*$`, 'iu')
const QUOTED =
  /"([^"\n]{1,60})"|“([^”\n]{1,60})”|„([^“”\n]{1,60})[“”]|«\s?([^»\n]{1,60}?)\s?»|(?<=^|[\s(:,])['‘]([^'’\n]{1,60})['’](?=$|[\s),.:;])/gu
const WHEN = tagSign('condition')

/** `Customer segment: …` asks for a value, whatever its words are. */
const HEADED_START = new RegExp(`^(?!${sign('subjectHeading')}\\b)[\\p{L}'’-]+(?:\\s+[\\p{L}'’-]+){0,2}\\s*:`, 'iu')
/** A value before its condition. */
const CONDITIONAL = new RegExp(
  `^(?:.{0,80}:\\s*)?(?:${sign('valueLead')}\\s+)*["“]?([\\p{L}][\\p{L}\\p{N}'’&/ -]{0,40}?)["”]?\\s+${WHEN}\\s+(\\S.*)$`,
  'isu',
)
const CLAUSE_END = new RegExp(
  `[,;.\\n]+|\\s+(?=${sign('clauseConjunction')}\\s+[\\p{L}-]+\\s+${sign('clauseCondition')}\\s)`,
  'u',
)
const NAME = '\\p{Lu}[\\p{L}\\p{N}&/-]*'
/** Names in a row: `Billing, Login or Export`. */
const NAMES = new RegExp(
  `(?:^|[\\s(:])((?:${NAME}(?: [\\p{L}\\p{N}&/-]+){0,2}, ){0,39}${NAME}(?: [\\p{L}\\p{N}&/-]+){0,2},? ${sign('lastSeparator')} \\p{Lu}[\\p{L}\\p{N}&/ -]*)`,
  'u',
)
/** A list at the start, before a colon. */
const LIST_BEFORE_COLON = new RegExp(`^[^.:;()]{1,200}?\\s${sign('lastSeparator')}\\s[^.:;(),]{1,40}(?=:\\s)`, 'iu')

/** Whether a description is about one subject, asks for a value that it may list (`open`), or neither (`plain`). */
export function descriptionKind(description: string): 'subject' | 'open' | 'plain' {
  const text = description.trim().slice(0, 200)
  if (HEADED_START.test(text)) return 'open'
  if (SUBJECT_START.test(text)) return 'subject'
  return OPEN_START.test(text) ? 'open' : 'plain'
}

/** The values a description lists; empty if it lists none or only one. */
export function parseOptions(description: string): ListedOption[] {
  const head = descriptionKind(description)
  for (const read of [explained, numbered, bracketed, quoted, conditional, led, listed]) {
    const found = tidy(read(description, head))
    if (found.length >= 2) return found
  }
  return []
}

/** Quoted phrases, to be taken literally. */
export function quotedPhrases(description: string): string[] {
  return [...description.matchAll(QUOTED)].map((match) => quoteOf(match))
}

/** `Bug: something is broken; Request: something new`, or one per line. */
function explained(description: string): ListedOption[] {
  const segments = description.split(/[;\n]+|\.(?=\s|$)/u)
  return segments.flatMap((segment) => {
    const match =
      /^(.{0,120}?[:–—]\s+)?[-*•\d.)\s"“'‘(]*([\p{L}\p{N}][^:=–—"”\n]{0,40}?)["”'’)]*\s*(?::|=>?|->|–|—|\s-\s)\s*(\S.*)$/su.exec(
        segment,
      )
    const [, , label = '', about = ''] = match ?? []
    if (label.trim().split(/\s+/).length > 4 || FUNCTION_WORD.test(label)) return []
    return [{ label, about }]
  })
}

/** `1 = trivial, 2 = annoying, 3 = nothing works` */
function numbered(description: string): ListedOption[] {
  const found = description.matchAll(/(?:^|[\s,;(:])([\p{L}\p{N}][^=,;:()\n]{0,30}?)\s*=\s*([^=,;()\n]{1,200})/gu)
  return [...found].map(([, label = '', about = '']) => ({ label, about }))
}

/** `Billing (invoices, refunds), Login (passwords) or Export (CSV)`. */
function bracketed(description: string): ListedOption[] {
  const found = description.matchAll(/([\p{L}][\p{L}\p{N} &/+-]{0,40}?)\s*\(([^()]{1,300})\)/gu)
  return [...found].map(([, label = '', about = '']) => ({ label: label.replace(LIST_LEAD, ''), about }))
}

/** `"Bug" when something is broken, "Request" when something is missing`. */
function quoted(description: string, head: string): ListedOption[] {
  const matches = [...description.matchAll(QUOTED)]
  if (matches.length < 2) return []
  const options = matches.map((match, at) => {
    const after = description.slice(match.index + match[0].length, matches[at + 1]?.index)
    const about = new RegExp(`^\\s*(?:${WHEN}(?=\\s)|[:=(–—-])\\s*([^]*)$`, 'iu').exec(after)?.[1] ?? ''
    return { label: quoteOf(match), about }
  })
  const explains = options.filter((option) => option.about.trim() !== '').length >= 2
  const before = description.slice(0, matches[0]?.index)
  const mentions = QUOTED_MENTION.test(before)
  return explains || (head !== 'subject' && !mentions) ? options : []
}

/** `blocker when nothing works, minor for looks`. Text without its own condition belongs to the previous value. */
function conditional(description: string): ListedOption[] {
  const found: ListedOption[] = []
  for (const segment of description.split(CLAUSE_END)) {
    const [, label = '', about = ''] = CONDITIONAL.exec(segment.trim()) ?? []
    const last = found.at(-1)
    if (label !== '' && label.split(/\s+/).length <= 3 && !FUNCTION_WORD.test(label) && !NOT_LABELS.test(label)) {
      found.push({ label, about })
    } else if (last) last.about += `, ${segment}`
  }
  return found
}

/** `One of Billing, Login or Export: …` */
function led(description: string, head: string): ListedOption[] {
  const lead = LIST_LEAD.exec(description)
  if (!lead || (head === 'subject' && lead.index > 0 && !CHOICE_LEAD.test(lead[0]))) return []
  return itemsOf(description.slice(lead.index + lead[0].length))
}

/** `Which part of the product: billing, login or export`, and lists of names in a description that asks for a value. */
function listed(description: string, head: string): ListedOption[] {
  if (head === 'subject') return []
  if (head === 'open') {
    const examples = EXAMPLES.exec(description)
    if (examples) return itemsOf(description.slice(examples.index + examples[0].length))
    const inBrackets = /\(([^()]{1,300})\)/u.exec(description)?.[1]
    const within = inBrackets === undefined ? [] : itemsOf(inBrackets)
    if (within.length >= 2) return within
    const colon = description.indexOf(':')
    const after = colon < 0 ? [] : itemsOf(description.slice(colon + 1))
    if (after.length >= 2) return after
  }
  const first = LIST_BEFORE_COLON.exec(description.trim())
  if (first) return itemsOf(first[0])
  const found = NAMES.exec(description)
  return found && (head === 'open' || found.index <= 1) ? itemsOf(found[1] ?? '') : []
}

/** The items of a list, up to the end of its sentence or the first item that is not a label. */
function itemsOf(text: string): ListedOption[] {
  const list = /^[^.:?!\n(–—]{0,1000}/u.exec(text.trim())?.[0] ?? ''
  const slashes = !/[,;]/.test(list) && /^\S+(?:\/\S+)+/.test(list)
  const items: ListedOption[] = []
  for (const part of slashes ? (list.split(/\s/, 1)[0]?.split('/') ?? []) : list.split(SEPARATOR)) {
    const label = part.replace(LABEL_END, '')
    if (label.trim() === '' && part.trim() === '') continue
    if (label.trim() === '') break
    if (cleanLabel(label).split(/\s+/).length > 4) break
    items.push({ label, about: '' })
    if (label !== part) break
  }
  return items
}

function tidy(options: readonly ListedOption[]): ListedOption[] {
  const found = new Map<string, ListedOption>()
  for (const { label, about } of options) {
    const clean = cleanLabel(label)
    const key = clean.toLowerCase()
    if (clean === '' || clean.length > MAX_LABEL_LENGTH || NOT_LABELS.test(clean) || !/\p{L}|\d/u.test(clean)) continue
    if (!found.has(key) && found.size < MAX_OPTIONS) found.set(key, { label: clean, about })
  }
  return [...found.values()]
}

function cleanLabel(label: string): string {
  return label
    .trim()
    .replace(LABEL_START, '')
    .replace(/["”“'’»\s.,;:)]+$/u, '')
    .replace(/\s+/g, ' ')
}

function quoteOf(match: RegExpExecArray): string {
  return match.slice(1).find((part) => part !== undefined) ?? ''
}

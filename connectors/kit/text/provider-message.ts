import { parseJson } from '../http/parse-json.ts'

/** Where a provider's own words are, the most readable first: an object's first one counts. */
const OWN = [
  'userPresentableMessage',
  'error_description',
  'detail',
  'message',
  'errorMessage',
  'err',
  'error',
  'title',
  'reason',
  'description',
] as const
/** What is listed beside them: one entry for each thing that was wrong. */
const LISTED = ['errorMessages', 'errors'] as const

const MAX_LENGTH = 300
const MAX_DEPTH = 4
const HTML_TITLE = /<(?:title|h1)[^>]*>([^<]{1,300})/i
/** In JSON that was cut off, where it says so first. */
const IN_CUT_JSON = new RegExp(`"(?:${OWN.join('|')})"\\s*:\\s*("(?:[^"\\\\]|\\\\.)+")`)

/**
 * What a provider's response says in its own words, as one line: the sentences of an error in JSON, the title of a page, or the text
 * itself; null where it has none. It may repeat what was sent, so it is for screens and never for logs.
 */
export function providerMessageIn(body: string): string | null {
  const text = body.trim()
  if (text === '') return null
  const json = parseJson(text)
  if (json !== undefined) return joinSentences(sentencesOf(json, 0))
  if (text.startsWith('<')) return joinSentences([HTML_TITLE.exec(text)?.[1] ?? ''])
  if (!/^[[{]/.test(text)) return joinSentences([text])
  return joinSentences(sentencesOf(parseJson(IN_CUT_JSON.exec(text)?.[1] ?? ''), 0))
}

function sentencesOf(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return []
  if (Array.isArray(value)) return value.flatMap((one) => sentencesOf(one, depth + 1))
  const object = value as Record<string, unknown>
  const presented = sentencesOf(read(object['extensions'], 'userPresentableMessage'), depth + 1)
  const own = presented.length > 0 ? presented : firstOf(object, depth)
  return [...own, ...LISTED.flatMap((key) => listedIn(object[key], depth + 1))]
}

function firstOf(object: Record<string, unknown>, depth: number): string[] {
  for (const key of OWN) {
    const found = sentencesOf(object[key], depth + 1).filter((sentence) => sentence.trim() !== '')
    if (found.length > 0) return found
  }
  return []
}

/** Entries are sentences, errors of their own, or what is wrong with a field: `{ "name": "is required" }`, `{ field, code }`. */
function listedIn(listed: unknown, depth: number): string[] {
  if (Array.isArray(listed)) {
    return listed.flatMap((entry) => {
      const own = sentencesOf(entry, depth)
      const [field, code] = [read(entry, 'field'), read(entry, 'code')]
      return own.length > 0 || typeof field !== 'string' || typeof code !== 'string' ? own : [`${field}: ${code}`]
    })
  }
  if (typeof listed !== 'object' || listed === null) return []
  return Object.entries(listed).flatMap(([field, what]) =>
    sentencesOf(what, depth).map((sentence) => (/^\p{Lu}/u.test(sentence) ? sentence : `${field}: ${sentence}`)),
  )
}

function read(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
}

/** Distinct sentences on one line, cut to the maximum length; null without any. */
function joinSentences(sentences: readonly string[]): string | null {
  const clean = sentences.map((sentence) => sentence.replace(/[\p{C}\s]+/gu, ' ').trim()).filter((one) => one !== '')
  const line = [...new Set(clean)].reduce((all, next) => `${all}${/[.!?:;]$/.test(all) ? '' : ';'} ${next}`, '')
  const text = line.replace(/^; /, '')
  if (text === '') return null
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH).toWellFormed()}…`
}

/** The message of a failure with the provider's own. `answer`: its response, as the delivery ledger has it. */
export function withProviderMessage(message: string, answer: string | null | undefined): string {
  const own = providerMessageIn(answer ?? '')
  const words = message.replace(/\.$/, '')
  return own === null || words.includes(own.replace(/\.$/, '')) ? message : `${words}. It said: ${own}`
}

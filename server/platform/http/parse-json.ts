import { longIntegersOf } from '@groundswell/contract/long-integers.ts'
import { parse } from 'secure-json-parse'

/** A body, or why it is refused. */
export type ParsedJson = { value: unknown } | { refused: string }

/** The largest valid body of any call has less than two thirds of this. A parser needs seconds for as many as fit into a body of the allowed size. */
const MAX_VALUES = 100_000

const [QUOTE, COMMA, BACKSLASH, BRACKET, BRACE] = Buffer.from('",\\[{')

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses JSON from a client: UTF-8, without keys that reach prototypes, with at most `MAX_VALUES` values. Integers beyond 2^53 become
 * text, so that ids stay what the client wrote.
 */
export function parseJson(bytes: Uint8Array): ParsedJson {
  if (hasTooManyValues(bytes)) return { refused: `The body has more than ${MAX_VALUES.toLocaleString('en-US')} values` }
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return { refused: 'The body is not UTF-8' }
  }
  try {
    return { value: parse(text, longIntegersOf(text), { protoAction: 'error', constructorAction: 'error' }) }
  } catch {
    return { refused: 'The body is not valid JSON' }
  }
}

/** Counts what begins a value outside of strings, in one pass and without memory. */
function hasTooManyValues(bytes: Uint8Array): boolean {
  if (bytes.length <= MAX_VALUES) return false
  let values = 0
  let isText = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) isText = !isText
    else if (isText) {
      if (byte === BACKSLASH) at += 1
    } else if (byte === COMMA || byte === BRACKET || byte === BRACE) {
      values += 1
      if (values > MAX_VALUES) return true
    }
  }
  return false
}

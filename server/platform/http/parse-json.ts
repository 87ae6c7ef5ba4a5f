import { longIntegersOf } from '@groundswell/contract/values/long-integers.ts'
import { parse } from 'secure-json-parse'

/** A body, or why it is refused. */
export type ParsedJson = { value: unknown } | { refused: string }

/** The largest valid body of any call has less than two thirds of this. A parser needs seconds for as many as fit into a body of the allowed size. */
const MAX_VALUES = 100_000

/** What is nested deeper exhausts the stack of code that walks or copies it. */
export const MAX_DEPTH = 64

const [QUOTE, COMMA, BACKSLASH, BRACKET, BRACE, BRACKET_END, BRACE_END] = Buffer.from('",\\[{]}')

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses JSON from a client: UTF-8, without keys that reach prototypes, with at most `MAX_VALUES` values, nested at most `MAX_DEPTH` levels deep.
 * Integers beyond 2^53 become text, so that ids stay what the client wrote.
 */
export function parseJson(bytes: Uint8Array): ParsedJson {
  const excess = excessOf(bytes, MAX_VALUES)
  if (excess === 'values') return { refused: `The body has more than ${MAX_VALUES.toLocaleString('en-US')} values` }
  if (excess === 'depth') return { refused: `The body is nested more than ${MAX_DEPTH} levels deep` }
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

/** Whether a body has more values than that. Reads no further than to the first one too many. */
export function hasMoreValues(bytes: Uint8Array, limit: number): boolean {
  return bytes.length > limit && excessOf(bytes, limit) === 'values'
}

/** Counts what begins a value outside of texts, and what is open, in one pass and without memory: what there is too much of. */
function excessOf(bytes: Uint8Array, limit: number): 'values' | 'depth' | null {
  let values = 0
  let depth = 0
  let isText = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) isText = !isText
    else if (isText) {
      if (byte === BACKSLASH) at += 1
    } else if (byte === COMMA || byte === BRACKET || byte === BRACE) {
      values += 1
      if (values > limit) return 'values'
      if (byte !== COMMA) {
        depth += 1
        if (depth > MAX_DEPTH) return 'depth'
      }
    } else if (byte === BRACKET_END || byte === BRACE_END) depth -= 1
  }
  return null
}

import { routes } from '@groundswell/contract/routes.ts'
import { type CheckedPart, checkPart } from './parse.ts'
import { type ParsedJson, parseJson } from './parse-json.ts'

/** A body to parse. `call`: the name of the call of the contract that it is for; null: it is for none. */
export type GivenBody = { bytes: Uint8Array; call: string | null }

/**
 * Parses a body and, for a call of the contract, checks it by its schema, so that only what the call takes is copied out of the thread: an object with a
 * hundred thousand keys takes a tenth of a second to copy, and as much to check.
 */
export function parseBody({ bytes, call }: GivenBody): ParsedJson | { checked: CheckedPart } {
  const parsed = parseJson(bytes)
  const route = routes.find(({ name }) => name === call)
  if ('refused' in parsed || !route) return parsed
  const { body } = route as { body?: Parameters<typeof checkPart>[0] }
  return body ? { checked: checkPart(body, parsed.value, 'body') } : { value: undefined }
}

import { routes } from '@groundswell/contract/routes.ts'
import type * as z from 'zod/mini'
import { type CheckedPart, checkPart } from './parse.ts'
import { type ParsedJson, parseJson } from './parse-json.ts'

/**
 * A body to parse. `call`: the name of the call that it is for; null: it is for none. `bodySchemas`: the address of the module that exports the
 * schemas of bodies by the names of calls; null: the contract has it.
 */
export type GivenBody = { bytes: Uint8Array; call: string | null; bodySchemas: string | null }

/**
 * Parses a body and, for a call, checks it by its schema, so that only what the call takes is copied out of the thread: an object with a
 * hundred thousand keys takes a tenth of a second to copy, and as much to check.
 */
export async function parseBody({
  bytes,
  call,
  bodySchemas,
}: GivenBody): Promise<ParsedJson | { checked: CheckedPart }> {
  const parsed = parseJson(bytes)
  if ('refused' in parsed || call === null) return parsed
  const schema =
    bodySchemas === null ? routes.find(({ name }) => name === call)?.body : await schemaIn(bodySchemas, call)
  return schema ? { checked: checkPart(schema, parsed.value, 'body') } : { value: undefined }
}

async function schemaIn(module: string, call: string): Promise<z.ZodMiniType | undefined> {
  const { bodySchemas } = (await import(module)) as { bodySchemas: Readonly<Record<string, z.ZodMiniType>> }
  return bodySchemas[call]
}

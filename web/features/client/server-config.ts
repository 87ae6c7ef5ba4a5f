import { getPublicConfig, type PublicConfig } from '@groundswell/contract/operations.ts'
import { CallError } from './call-error.ts'
import { send } from './request.ts'
import { readToken } from './token.ts'

let known: Promise<PublicConfig | null> | undefined

/**
 * The server's run-time configuration, asked for once; null on a server without that call. Throws CallError when the server
 * did not answer or failed; the next caller asks again then. Needs no token, since renewing one depends on it.
 */
export function readPublicConfig(): Promise<PublicConfig | null> {
  known ??= askForConfig().catch((error: unknown) => {
    known = undefined
    throw error
  })
  return known
}

async function askForConfig(): Promise<PublicConfig | null> {
  try {
    return await send<PublicConfig>(getPublicConfig, {}, readToken())
  } catch (error) {
    if (error instanceof CallError && error.status > 0 && error.status < 500) return null
    throw error
  }
}

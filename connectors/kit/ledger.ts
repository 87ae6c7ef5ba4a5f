import type { HttpResponse } from '../connector.ts'
import type { LedgerEntry } from './errors.ts'

const KEPT = 2048
/** Shorter ones are no real secrets, and removing them would garble the response. */
const MIN_SECRET_LENGTH = 6

/**
 * The first 2 KiB of a response as a database can store it: without NUL, cut between characters, and without the secrets that
 * we sent, because some receivers echo them.
 */
export function ledgerAnswer(body: string, secrets: readonly (string | null | undefined)[]): string {
  let text = body.replaceAll('\0', '\uFFFD')
  for (const secret of secrets) if (secret && secret.length >= MIN_SECRET_LENGTH) text = text.replaceAll(secret, '•••')
  return new TextDecoder().decode(Buffer.from(text).subarray(0, KEPT), { stream: true })
}

/** The ledger entry of a response that is a failure. */
export function ledgerEntry(
  answer: HttpResponse,
  error: string,
  secrets: readonly (string | null | undefined)[],
): LedgerEntry {
  const { status, durationMs } = answer
  return { status, answer: ledgerAnswer(answer.body, secrets), durationMs, error }
}

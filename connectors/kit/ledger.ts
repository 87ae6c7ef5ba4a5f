import type { HttpAnswer } from '../connector.ts'
import type { LedgerEntry } from './errors.ts'

const KEPT = 2048
/** Shorter ones are no secrets worth the name, and taking them out would garble the answer. */
const MIN_SECRET_LENGTH = 6

/**
 * The first 2 KiB of an answer as a database can hold it: without NUL, cut between characters, and without the secrets
 * that we sent, because some receivers send back what they got.
 */
export function ledgerAnswer(body: string, secrets: readonly (string | null | undefined)[]): string {
  let text = body.replaceAll('\0', '\uFFFD')
  for (const secret of secrets) if (secret && secret.length >= MIN_SECRET_LENGTH) text = text.replaceAll(secret, '•••')
  return new TextDecoder().decode(Buffer.from(text).subarray(0, KEPT), { stream: true })
}

/** What the ledger records of a try that was answered, but not as we hoped. */
export function ledgerEntry(
  answer: HttpAnswer,
  error: string,
  secrets: readonly (string | null | undefined)[],
): LedgerEntry {
  const { status, durationMs } = answer
  return { status, answer: ledgerAnswer(answer.body, secrets), durationMs, error }
}

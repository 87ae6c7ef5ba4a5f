import { ContractError } from '@groundswell/contract/errors.ts'
import { readFailure } from '../../platform/queue/failure.ts'

const MAX_QUOTE_LENGTH = 200

/** A connector's failure as the contract names it, in words for the screen; null for what is no failure of the other side. */
export function refusalOf(error: unknown): ContractError | null {
  const { kind, ledger } = (error ?? {}) as { kind?: unknown; ledger?: { answer?: string | null } }
  if (typeof kind !== 'string') return null
  const failure = readFailure(error)
  const answer = ledger?.answer?.trim() ?? ''
  const quote = answer === '' ? '' : ` It said: ${answer.slice(0, MAX_QUOTE_LENGTH).toWellFormed()}`
  const final = failure.kind === 'auth' || failure.kind === 'rejected'
  return new ContractError(
    final ? 'provider_refused' : 'provider_unavailable',
    `${failure.message.replace(/\.$/, '')}.${quote}`,
  )
}

/** Asks the other side; a failure of its is thrown as the contract names it. */
export async function asking<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw refusalOf(error) ?? error
  }
}

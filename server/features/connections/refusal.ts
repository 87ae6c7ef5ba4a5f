import { ContractError } from '@groundswell/contract/errors.ts'
import { readFailure } from '../../platform/queue/failure.ts'

const MAX_QUOTE_LENGTH = 200

/** A connector's failure as an error of the contract, with a message for the screen; null for anything but a provider's failure. */
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

/** Calls the provider; its failure is thrown as an error of the contract. */
export async function asking<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw refusalOf(error) ?? error
  }
}

import { withProviderMessage } from '@groundswell/connectors/kit/text/provider-message.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { readFailure } from '../../platform/queue/failure.ts'

/** A connector's failure as an error of the contract, with a message for the screen and what the provider said; null for anything but a provider's failure. */
export function refusalOf(error: unknown): ContractError | null {
  const { kind, ledger } = (error ?? {}) as { kind?: unknown; ledger?: { answer?: string | null } }
  if (typeof kind !== 'string') return null
  const failure = readFailure(error)
  const final = failure.kind === 'auth' || failure.kind === 'rejected'
  return new ContractError(
    final ? 'provider_refused' : 'provider_unavailable',
    withProviderMessage(`${failure.message.replace(/\.$/, '')}.`, ledger?.answer),
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

import { ContractError } from '@groundswell/contract/errors.ts'
import type { Caller } from './handle.ts'

const BEGINNING = 'This address is private or reserved.'

/**
 * What refuses a private address in the form's field of this name. An admin is told the setting that allows it, with the host to add to it; others are
 * sent to their operator.
 */
export function privateAddressRefused({ isAdmin }: Pick<Caller, 'isAdmin'>, field: string, url: string): ContractError {
  const text = isAdmin
    ? `${BEGINNING} To allow it, add ${hostOf(url)} to WEBHOOK_ALLOW and restart the server, or enter a public one`
    : `${BEGINNING} Ask your operator to allow it, or enter a public one`
  return new ContractError('invalid_input', text, { [field]: text })
}

/** As WEBHOOK_ALLOW lists it. */
function hostOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/^\[(.*)\]$/, '$1') ?? 'it'
}

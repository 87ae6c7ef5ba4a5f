import { isRefusedAddress } from '@groundswell/connectors/kit/http/address-check.ts'
import type { Config } from '../../../platform/config/config.ts'

type Place = Pick<Config, 'publicUrl' | 'allowPrivateAddresses'>

/**
 * Why providers cannot send events here, as a part of a sentence; null when they can: the public address is https and resolves to no
 * private address, or the operator has allowed its host.
 */
export async function unreachableBecause({ publicUrl, allowPrivateAddresses: allow }: Place): Promise<string | null> {
  if (publicUrl === undefined) return 'this server has no public address (PUBLIC_URL)'
  const { protocol, hostname } = new URL(publicUrl)
  if (await isRefusedAddress(publicUrl, allow)) return 'the address of this server (PUBLIC_URL) is a private one'
  if (protocol === 'https:' || allow.includes(hostname) || (await isRefusedAddress(publicUrl, []))) return null
  return 'the address of this server (PUBLIC_URL) is not https'
}

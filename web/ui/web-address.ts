/** Only http and https addresses become links: they come from other servers. */
export function isWebAddress(address: string | null | undefined): address is string {
  return typeof address === 'string' && /^https?:\/\//i.test(address)
}

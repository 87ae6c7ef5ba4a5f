const reasons: Record<string, (host: string) => string> = {
  EBLOCKED: (host) =>
    `The address of ${host} is private or reserved. Nothing was sent; the operator can allow it with WEBHOOK_ALLOW`,
  ECONNREFUSED: (host) => `${host} refused the connection`,
  ECONNRESET: (host) => `${host} closed the connection without an answer`,
  EPIPE: (host) => `${host} closed the connection without an answer`,
  ETIMEDOUT: (host) => `${host} could not be reached in time`,
  EHOSTUNREACH: (host) => `${host} is not reachable from this server`,
  ENETUNREACH: (host) => `${host} is not reachable from this server`,
  ENOTFOUND: (host) => `The host name ${host} is unknown (DNS)`,
  EAI_AGAIN: (host) => `The host name ${host} could not be resolved (DNS)`,
  HPE_HEADER_OVERFLOW: (host) => `The headers of the response from ${host} are too large`,
}

const TLS = /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|HOSTNAME_MISMATCH|EPROTO)/

/** Why a request got no response, in plain words for the owner of the connection: with the host, never the path or a token. */
export function reasonOf(error: unknown, host: string): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = reasons[code]
  if (known) return known(host)
  if (TLS.test(code)) return `The TLS connection to ${host} could not be verified (${code})`
  if (code.startsWith('HPE_')) return `The response from ${host} was not HTTP`
  return `The call to ${host} failed${code === '' ? '' : ` (${code})`}`
}

const UNCONNECTED = new Set(['EBLOCKED', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])

/** Whether there was no connection at all, so that nothing of the request has left this machine. */
export function isUnconnected(error: unknown): boolean {
  return error instanceof Error && 'code' in error && UNCONNECTED.has(String(error.code))
}

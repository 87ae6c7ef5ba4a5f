import type { Http } from '../connector.ts'

/**
 * The same client, and the credentials that it sent, as they were sent: a secret that is encoded, as for basic authentication, must not
 * be shown either.
 */
export function recordingCredentials(http: Http): { http: Http; credentials: ReadonlySet<string> } {
  const credentials = new Set<string>()
  return {
    credentials,
    http: {
      request: (request) => {
        for (const [name, value] of Object.entries(request.headers ?? {})) {
          if (name.toLowerCase() === 'authorization') credentials.add(value.split(' ').at(-1) ?? value)
        }
        return http.request(request)
      },
    },
  }
}

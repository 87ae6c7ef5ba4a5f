import type { Services } from '../../platform/services.ts'
import { keySet } from './key-set.ts'

type Finding = { state: 'ok' | 'problem'; what: string; advice?: string }

/** Checks that the hosted project, if there is one, publishes keys that can verify its tokens. */
export async function checkHosted(services: Services): Promise<Finding[]> {
  const { hostedAuth } = services.config
  if (!hostedAuth) return []
  const where = `The hosted sign-in at ${new URL(hostedAuth.url).host}`
  try {
    const { published } = await keySet(services).current()
    const usable = published.filter(({ kty }) => kty === 'EC' || kty === 'RSA').length
    if (usable > 0)
      return [{ state: 'ok', what: `${where} publishes ${usable} signing ${usable === 1 ? 'key' : 'keys'}.` }]
    return [
      {
        state: 'problem',
        what: `${where} publishes no signing key: JWKS is empty.`,
        advice: 'Migrate the project to asymmetric JWT signing keys (ES256 or RS256): nobody can sign in before.',
      },
    ]
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown'
    return [
      { state: 'problem', what: `${where} does not answer: ${why}.`, advice: 'Check SUPABASE_URL and the network.' },
    ]
  }
}

import { authorize } from '@groundswell/contract/sources.ts'
import { CallError, call } from '../client/index.ts'

/**
 * Opens the provider's consent page. `values`: what the connector asks for before that. 'no-app': the server has no app at the provider
 * yet. 'no-call': the server does not have this call. Any other failure is thrown.
 */
export async function beginSignIn(
  tile: string,
  values?: Record<string, unknown>,
): Promise<'left' | 'no-app' | 'no-call'> {
  try {
    const { url } = await call(authorize, { params: { tile }, body: values })
    location.assign(url)
    return 'left'
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    if (error.code === 'not_configured') return 'no-app'
    if (error.status === 404 || error.status === 405) return 'no-call'
    throw error
  }
}

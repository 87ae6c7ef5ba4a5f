import { authorize } from '@groundswell/contract/sources.ts'
import type { TileName } from '@groundswell/contract/tiles.ts'
import { CallError, call } from '../client/index.ts'

/**
 * Leaves for the provider's consent page. 'no-app': the server says that it has no app there yet. 'no-call': another
 * maker's server, which has no such call. Any other failure is thrown.
 */
export async function beginSignIn(tile: TileName): Promise<'left' | 'no-app' | 'no-call'> {
  try {
    const { url } = await call(authorize, { params: { tile } })
    location.assign(url)
    return 'left'
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    if (error.code === 'not_configured') return 'no-app'
    if (error.status === 404 || error.status === 405) return 'no-call'
    throw error
  }
}

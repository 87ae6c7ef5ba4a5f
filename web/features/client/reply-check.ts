import type { Route } from '@groundswell/contract/route.ts'
import { afterFirstLook } from '../../ui/first-look.ts'
import { logFailure } from './log.ts'

/**
 * Another server may omit fields: its reply is used unchanged, and the differences from the contract are logged. The schemas are
 * not needed to show a screen, so they are fetched once the first one is usable.
 */
export function checkReply(route: Route, body: unknown): void {
  void afterFirstLook
    .then(() => import('./reply-schemas.ts'))
    .then(({ compareReply }) => compareReply(route.name, body))
    .catch(logFailure('A reply was not compared with the contract'))
}

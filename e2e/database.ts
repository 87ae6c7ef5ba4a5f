import { openClient } from '@groundswell/server/platform/db/guarded-client.ts'
import { LONG } from '@groundswell/server/platform/db/limits.ts'
import type { Stack } from './stack.ts'

/** A connection to the database of a stack as the owner of its tables; the role of the app may not read sign-ins. The caller ends it. */
export function connectAsOwner({ services }: Stack) {
  return openClient(services.db.ownerUrl, 'groundswell test', LONG)
}

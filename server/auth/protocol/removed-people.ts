import pg from 'pg'
import { errorCode } from '../../platform/db/retry.ts'
import type { Services } from '../../platform/services.ts'
import type { PersonClaims } from '../sessions/access-token.ts'
import { AuthError } from './auth-error.ts'
import { readCurrent } from './current.ts'

/** A row refers to one that is gone. */
const FOREIGN_KEY = '23503'

/**
 * Does the work of a call, and refuses with the protocol's errors a person whose account or session is removed meanwhile: it is gone when a row that
 * refers to it is stored. A broken reference of a person who is still there is a defect, and stays one. `person`: null in a call without a
 * token, whose account is the one that the row refers to.
 */
export async function refuseRemoved<T>(
  services: Services,
  person: PersonClaims | null,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (errorCode(error) !== FOREIGN_KEY) throw error
    if (person) await readCurrent(services, person)
    else if (missingTable(error) === 'account') throw new AuthError('user_not_found', 'User not found')
    else if (missingTable(error) === 'session') throw new AuthError('session_not_found', 'This session has ended')
    throw error
  }
}

/** The table without the row. */
function missingTable(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? /in table "(\w+)"\.$/.exec(error.detail ?? '')?.[1] : undefined
}

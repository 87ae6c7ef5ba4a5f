import pg from 'pg'
import { expect, test } from 'vitest'
import { errorAnswer } from '../http/errors.ts'
import { asLost, NotBegun, unavailability } from './unavailable.ts'

function databaseError(code: string): Error {
  return Object.assign(new pg.DatabaseError('said by the server', 0, 'error'), { code })
}

test.each([
  ['a refused connection', asLost(Object.assign(new Error('no'), { code: 'ECONNREFUSED' })), 'down'],
  ['a lost connection', asLost(new Error('Connection terminated unexpectedly')), 'down'],
  ['a statement after that', new Error('Client has encountered a connection error and is not queryable'), 'down'],
  ['a server that shuts down', databaseError('57P01'), 'down'],
  ['a server that starts', databaseError('57P03'), 'down'],
  ['a transaction that idled too long', databaseError('25P03'), 'down'],
  ['a pooler that cannot reach the server', databaseError('08P01'), 'down'],
  ['a password that was changed', databaseError('28P01'), 'down'],
  ['a transaction that could not begin', new NotBegun(databaseError('42501')), 'down'],
  ['too many connections', databaseError('53300'), 'busy'],
  ['a transaction that found too many', new NotBegun(databaseError('53300')), 'busy'],
  ['a full pool', new Error('timeout exceeded when trying to connect'), 'busy'],
  ['a lock that somebody holds', databaseError('55P03'), 'busy'],
  ['a full disk', databaseError('53100'), 'full'],
  ['no memory', databaseError('53200'), 'full'],
  ['a standby', databaseError('25006'), 'read-only'],
  ['a statement that took too long', databaseError('57014'), 'slow'],
])('%s is a 503 with an explanation', (_name, error, kind) => {
  expect(unavailability(error)).toBe(kind)
  const { status, body, fault } = errorAnswer(error)
  expect([status, body.code, fault]).toEqual([503, 'not_ready', true])
  expect(body.message).toMatch(/^The database .*(try again|until there is room)$/)
})

test.each([
  ['a broken rule of the data', databaseError('23505')],
  ['a wrong statement', databaseError('42601')],
  ['a connection to something else', Object.assign(new Error('no'), { code: 'ECONNREFUSED' })],
  ['anything else', new Error('a mistake')],
])('%s is not', (_name, error) => {
  expect(unavailability(error)).toBeNull()
  expect(errorAnswer(error).status).toBe(500)
})

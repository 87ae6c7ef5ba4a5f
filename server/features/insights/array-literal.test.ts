import { expect, test } from 'vitest'
import { testDatabase } from '../../platform/db/testing.ts'
import { duringTests } from '../../platform/testing.ts'
import { numberArray, textArray } from './array-literal.ts'

const fixture = duringTests(() => testDatabase())

test('PostgreSQL returns every text, number and null unchanged', async () => {
  const texts = [
    '',
    'null',
    'NULL',
    '"',
    '\\',
    '\\"',
    '{a,b}',
    ' x ',
    'a\nb\t',
    "'; drop --",
    '🤯',
    'é',
    null,
    ',',
    '\\\\"\\',
  ]
  const numbers = [0, -1, 1.5, 9_007_199_254_740_991, null]
  const { rows } = await fixture.db.pool.query(
    'select $1::text[] as texts, $2::float8[] as numbers, $3::text[] as none',
    [textArray(texts), numberArray(numbers), textArray([])],
  )
  expect(rows[0]).toEqual({ texts, numbers, none: [] })
})

test('NUL is removed, because PostgreSQL does not allow it in text', () => {
  expect(textArray(['a\0b'])).toBe('{"ab"}')
})

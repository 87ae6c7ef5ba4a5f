import { expect, test } from 'vitest'
import { withCaches } from '../../platform/caches.ts'
import { type Config, readConfig } from '../../platform/config/config.ts'
import { testDatabase } from '../../platform/db/testing.ts'
import type { Services } from '../../platform/services.ts'
import { passwordHasher } from './hash.ts'

const hasherOf = (config: Config) => passwordHasher(withCaches({ config } as Services))

test('no variable makes a password cheaper to guess; only tests have hashes that cost less, and each is checked at its own cost', async () => {
  const given = Object.fromEntries(['PASSWORD_COST', 'passwordCost'].map((name) => [name, '1']))
  const product = hasherOf(readConfig({ GROUNDSWELL_DATA: '/data', ...given }))
  const database = await testDatabase()
  const cheap = hasherOf(database.config)
  await database.cleanup()
  const usual = await product.hash('an analytical engine')
  const least = await cheap.hash('an analytical engine')
  expect(usual).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(least).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/)
  for (const stored of [usual, least]) {
    expect(await product.check(stored, 'an analytical engine')).toBe(true)
    expect(await cheap.check(stored, 'an analytical engine')).toBe(true)
    expect(await cheap.check(stored, 'a difference engine')).toBe(false)
  }
  expect(await cheap.check(null, 'an analytical engine')).toBe(false)
})

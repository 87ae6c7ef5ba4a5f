import { describe, expect, it } from 'vitest'
import { defineCache, withCaches } from './caches.ts'
import { readConfig } from './config/config.ts'
import type { Services } from './services.ts'

const services = () => withCaches({ config: readConfig({}), now: () => new Date(0) } as Services)

describe('the caches of a process', () => {
  it('creates an instance at first use, from the services, and returns that one afterwards', () => {
    let created = 0
    const key = defineCache('ports', ({ config }) => {
      created += 1
      return new Map([['port', config.port]])
    })
    const first = services()
    expect(created).toBe(0)
    expect(first.caches.of(key).get('port')).toBe(first.config.port)
    expect(first.caches.of(key)).toBe(first.caches.of(key))
    expect(created).toBe(1)
  })

  it('returns the same instance to a feature that was given a copy of the services', () => {
    const key = defineCache('numbers', () => new Set<number>())
    const first = services()
    const copy: Services = { ...first, now: () => new Date(1) }
    expect(copy.caches.of(key)).toBe(first.caches.of(key))
  })

  it('shares nothing between two processes, nor between two caches of the same name', () => {
    const key = defineCache('numbers', () => new Set<number>())
    const sameName = defineCache('numbers', () => new Set<number>())
    const first = services()
    expect(services().caches.of(key)).not.toBe(first.caches.of(key))
    expect(withCaches(first).caches.of(key)).not.toBe(first.caches.of(key))
    expect(first.caches.of(sameName)).not.toBe(first.caches.of(key))
  })

  it('remembers an instance that is undefined', () => {
    let created = 0
    const key = defineCache('nothing', () => {
      created += 1
      return undefined
    })
    const { caches } = services()
    caches.of(key)
    caches.of(key)
    expect(created).toBe(1)
  })

  it('disposes in reverse order of creation, one after the other, and only what was created', async () => {
    const log: string[] = []
    const slow = defineCache(
      'slow',
      () => 'slow',
      async () => {
        await new Promise((resolve) => setImmediate(resolve))
        log.push('slow')
      },
    )
    const inner = defineCache(
      'inner',
      () => 'inner',
      () => void log.push('inner'),
    )
    const outer = defineCache(
      'outer',
      ({ caches }) => `outer of ${caches.of(inner)}`,
      (value) => void log.push(value),
    )
    const unused = defineCache(
      'unused',
      () => 'unused',
      () => void log.push('unused'),
    )
    const { caches } = services()
    caches.of(outer)
    caches.of(slow)
    await caches.dispose()
    expect(log).toEqual(['slow', 'outer of inner', 'inner'])
    await caches.dispose()
    expect(log).toHaveLength(3)
    expect(() => caches.of(unused)).toThrow('cache unused was requested after the caches were disposed')
  })

  it('disposes the others when one fails, and names the one that failed', async () => {
    const log: string[] = []
    const good = defineCache(
      'good',
      () => 1,
      () => void log.push('good'),
    )
    const bad = defineCache(
      'bad',
      () => 2,
      () => {
        throw new Error('stuck')
      },
    )
    const { caches } = services()
    caches.of(good)
    caches.of(bad)
    await expect(caches.dispose()).rejects.toThrow('cache bad could not be disposed')
    expect(log).toEqual(['good'])
  })

  it('creates an instance again after a failure, and refuses one that depends on itself', () => {
    let tries = 0
    const flaky = defineCache('flaky', () => {
      tries += 1
      if (tries === 1) throw new Error('not yet')
      return tries
    })
    const circular: ReturnType<typeof defineCache<number>> = defineCache('circular', ({ caches }) =>
      caches.of(circular),
    )
    const { caches } = services()
    expect(() => caches.of(flaky)).toThrow('not yet')
    expect(caches.of(flaky)).toBe(2)
    expect(() => caches.of(circular)).toThrow('cache circular depends on itself')
  })
})

import { describe, expect, it } from 'vitest'
import { createCache } from '../kit/cache.ts'
import { type Recent, recently } from './recent.ts'
import { contextFor, openAzure } from './testing.ts'

const none = (): Recent<number> => new Map()

describe('what was read recently', () => {
  it('is read again after ten minutes, where it is not usable, and about something else', async () => {
    await using azure = await openAzure()
    let at = Date.parse('2026-11-23T10:00:00Z')
    const context = contextFor(azure, { now: () => new Date(at) })
    let reads = 0
    const read = (about: string, usable?: (value: number) => boolean) =>
      recently(context, none, [about], async () => (reads += 1), usable)
    expect([await read('a'), await read('a'), await read('b'), await read('a')]).toEqual([1, 1, 2, 1])
    at += 599_999
    expect(await read('a')).toBe(1)
    at += 1
    expect(await read('a')).toBe(3)
    expect(await read('a', (value) => value !== 3)).toBe(4)
    expect(await read('a')).toBe(4)
  })

  it('is kept for each address, and never after a failure', async () => {
    await using azure = await openAzure()
    const cache = createCache()
    const here = { ...contextFor(azure), cache }
    const there = { ...here, baseUrl: 'http://127.0.0.1:9' }
    await expect(recently(here, none, ['a'], () => Promise.reject(new Error('down')))).rejects.toThrow('down')
    expect(await recently(here, none, ['a'], async () => 1)).toBe(1)
    expect(await recently(there, none, ['a'], async () => 2)).toBe(2)
    expect(await recently(here, none, ['a'], async () => 3)).toBe(1)
  })
})

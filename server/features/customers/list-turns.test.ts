import { expect, it } from 'vitest'
import { withCaches } from '../../platform/caches.ts'
import type { Services } from '../../platform/services.ts'
import { oneListAtATime } from './list-turns.ts'

it('a workspace has one list read at a time, a few wait, and more are refused; another workspace does not wait', async () => {
  const turns = withCaches({} as Services).caches.of(oneListAtATime)
  const began: string[] = []
  const ends: (() => void)[] = []
  const read = (key: string, name: string) =>
    turns.take(key, async () => {
      began.push(name)
      const { promise, resolve } = Promise.withResolvers<void>()
      ends.push(resolve)
      await promise
      if (name === 'first') throw new Error('first is no list')
      return name
    })
  const first = read('a', 'first')
  const others = ['second', 'third', 'fourth'].map((name) => read('a', name))
  await expect(read('a', 'fifth')).rejects.toMatchObject({ code: 'too_many_requests', seconds: 5 })
  const elsewhere = read('b', 'elsewhere')
  await expect.poll(() => began).toEqual(['first', 'elsewhere'])
  for (const end of ends.splice(0)) end()
  await expect(first).rejects.toThrow('first is no list')
  expect(await elsewhere).toBe('elsewhere')
  for (const [at, name] of ['second', 'third', 'fourth'].entries()) {
    await expect.poll(() => ends.length).toBe(1)
    expect(began).toHaveLength(3 + at)
    ends.pop()?.()
    expect(await others[at]).toBe(name)
  }
  const after = read('a', 'after')
  await expect.poll(() => ends.length).toBe(1)
  ends[0]?.()
  expect(await after).toBe('after')
})

import { expect, test } from 'vitest'
import { ChangedComparisons, type LoadPages, openPages } from './comparison-pages.ts'

const comparison = (index: number) => ({ from: `day ${index}`, to: '', rows: [], input: 'said' })

/** A server with this many comparisons, which returns at most three at once. `calls`: the requests. */
function server(total: number) {
  const state = { total, generators: ['a', 'b'], fails: false }
  const calls: string[] = []
  const load: LoadPages = async (from, count) => {
    calls.push(`${from}+${count}`)
    if (state.fails || from >= state.total) throw new Error('refused')
    const length = Math.min(count, 3, state.total - from)
    const comparisons = Array.from({ length }, (_, offset) => comparison(from + offset))
    return { total: state.total, generators: state.generators, comparisons }
  }
  return { state, calls, load }
}
const never = new AbortController().signal

test('the comparison that is shown is loaded first, the next one ahead, and none twice while it is near', async () => {
  const { calls, load } = server(40)
  const pages = await openPages(load, 7, 100)
  expect([pages.total, pages.generators]).toEqual([40, ['a', 'b']])
  expect(await pages.load(7)).toEqual(comparison(7))
  expect(calls).toEqual(['7+1', '8+1'])
  expect(await pages.load(8)).toEqual(comparison(8))
  expect(await pages.load(7)).toEqual(comparison(7))
  expect(calls).toEqual(['7+1', '8+1', '9+1'])
  await pages.load(20)
  await pages.load(30)
  calls.length = 0
  await pages.load(7)
  expect(calls).toEqual(['7+1', '8+1'])
  await pages.load(39)
  expect(calls).not.toContain('40+1')
})

test('where there are fewer than the address says, the first one is loaded', async () => {
  const { calls, load } = server(2)
  const pages = await openPages(load, 7, 100)
  expect([pages.total, calls]).toEqual([2, ['7+1', '0+1']])
  expect(await pages.load(1)).toEqual(comparison(1))
})

test('a comparison that could not be loaded is asked for again', async () => {
  const { state, load } = server(9)
  const pages = await openPages(load, 0, 100)
  state.fails = true
  await expect(pages.load(4)).rejects.toThrow('refused')
  await pages.load(0)
  state.fails = false
  expect(await pages.load(4)).toEqual(comparison(4))
  expect(await pages.load(1)).toEqual(comparison(1))
})

test('all are loaded with progress, without their inputs, until nobody waits for them', async () => {
  const { calls, load } = server(8)
  const pages = await openPages(load, 0, 100)
  const progress: number[] = []
  const all = await pages.loadAll((done) => progress.push(done), never)
  expect(all.generators).toEqual(['a', 'b'])
  expect(all.comparisons).toEqual(Array.from({ length: 8 }, (_, index) => ({ ...comparison(index), input: '' })))
  expect([progress, calls]).toEqual([
    [3, 6, 8],
    ['0+1', '0+100', '3+100', '6+100'],
  ])
  const stopped = new AbortController()
  await expect(pages.loadAll(() => stopped.abort(), stopped.signal)).rejects.toThrow('aborted')
  expect(calls.slice(4)).toEqual(['0+100'])
})

test('comparisons that have changed since are not mixed with those of before', async () => {
  const { state, load } = server(9)
  const pages = await openPages(load, 0, 100)
  state.total = 10
  await expect(pages.load(4)).rejects.toThrow(ChangedComparisons)
  await expect(pages.loadAll(() => undefined, never)).rejects.toThrow(ChangedComparisons)
  Object.assign(state, { total: 9, generators: ['a', 'c'] })
  await expect(pages.load(5)).rejects.toThrow(ChangedComparisons)
  expect(await pages.load(0), 'what was loaded before').toEqual(comparison(0))
})

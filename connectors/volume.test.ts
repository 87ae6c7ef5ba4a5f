import { describe, expect, it } from 'vitest'
import { readVolume } from './conformance/volume-run.ts'
import { connectors } from './index.ts'

const sources = connectors.filter(({ pull }) => pull)

describe.each(sources.map((connector) => [connector.manifest.id, connector] as const))('%s', (_, connector) => {
  it('reads 1,000 items with at most 1.2 times the least requests', async () => {
    const { items, requests, least } = await readVolume(connector, { threads: 500, messages: 2 }, [])
    expect(items).toBe(1000)
    expect(requests / least).toBeLessThanOrEqual(1.2)
  })

  it('keeps its memory flat', async () => {
    const { heap } = await readVolume(connector, { threads: 600, messages: 20 }, [2_000, 12_000])
    const [first, last] = heap.map(({ bytes }) => bytes)
    // Ten thousand more items kept in memory would be more than 2 MiB.
    expect(Number(last) - Number(first)).toBeLessThan(2 * 1024 ** 2)
  })
})

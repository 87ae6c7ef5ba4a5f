import type { Tile } from './tiles.ts'

/** The reply to a test. A server of the specification sends none of it. */
type TestReply = { message?: string; status?: number | null; answer?: string | null } | undefined

/** A destination gets example data, except a tracker, which would keep it as an item: its connection is verified, as a source's is. */
const getsExample = ({ side, entry }: Tile) => side === 'destination' && !entry?.manifest.tracks

/** What a successful test did. */
export function successWords(tile: Tile, reply: TestReply): { description: string; detail: string | undefined } {
  const isExample = getsExample(tile)
  const parts = [reply?.status, reply?.answer].filter((part) => part !== null && part !== undefined && part !== '')
  return {
    description: isExample ? 'Example data pushed successfully.' : (reply?.message ?? 'Connection works.'),
    detail: parts.length > 0 ? `${isExample ? 'Answer: ' : ''}${parts.join(' · ')}` : undefined,
  }
}

/** What a failed test did not do. */
export function failureWords(tile: Tile): string {
  return getsExample(tile)
    ? 'Failed to push example data. Please try again.'
    : `Failed to test ${tile.name}. Please try again.`
}

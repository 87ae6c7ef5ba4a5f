import { expect, test } from 'vitest'
import { failureWords, successWords } from './test-words.ts'
import { type ConnectorEntry, listTiles, type Tile } from './tiles.ts'

const entryOf = (id: string, side: 'source' | 'destination', tracks: boolean): ConnectorEntry => ({
  manifest: {
    id,
    label: id,
    side,
    info: 'What it does, as text',
    coming_soon: false,
    tile: true,
    form_title: 'Connect',
    fields: [],
    signs: false,
    tracks,
  },
  connection: null,
})

/** The tiles of a server, by what it says of each: its side, and whether it keeps items. */
const tiles = (entries: readonly ConnectorEntry[]) =>
  new Map(listTiles(entries).map((tile): [string, Tile] => [tile.id, tile]))
const tileOf = (side: 'source' | 'destination', tracks: boolean) =>
  tiles([entryOf('other', side, tracks)]).get('other') as Tile

test('a destination that gets events says that example data was pushed, with the answer', () => {
  const webhook = tiles([]).get('webhook') as Tile
  for (const tile of [webhook, tileOf('destination', false)]) {
    expect(successWords(tile, { message: 'Whatever', status: 200, answer: 'thanks' })).toEqual({
      description: 'Example data pushed successfully.',
      detail: 'Answer: 200 · thanks',
    })
    expect(successWords(tile, undefined)).toEqual({
      description: 'Example data pushed successfully.',
      detail: undefined,
    })
    expect(failureWords(tile)).toBe('Failed to push example data. Please try again.')
  }
})

test.each([
  ['a tracker', tileOf('destination', true)],
  ['a source', tileOf('source', false)],
])('%s gets no example data and says that its connection works, and what was verified', (_, tile) => {
  expect(successWords(tile, { message: 'Connection works.', status: null, answer: 'Ada may write issues' })).toEqual({
    description: 'Connection works.',
    detail: 'Ada may write issues',
  })
  expect(successWords(tile, undefined)).toEqual({ description: 'Connection works.', detail: undefined })
  expect(failureWords(tile)).toBe('Failed to test other. Please try again.')
})

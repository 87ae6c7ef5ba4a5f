import { connectors } from '@groundswell/connectors/index.ts'
import { expect, test } from 'vitest'
import { SPEC_TILES } from './spec-tiles.tsx'

const tiles = connectors.map(({ manifest }) => manifest).filter(({ tile }) => tile)

test('the eleven tiles of the specification have the ids, names, sides and order of the server’s first eleven', () => {
  expect(SPEC_TILES).toHaveLength(11)
  const first = tiles.slice(0, 11).map(({ id, label, side }) => ({ id, name: label, side }))
  expect(SPEC_TILES.map(({ id, name, side }) => ({ id, name, side }))).toEqual(first)
})

test('each tile has one logo: in the web app for the eleven, in its manifest for every other', () => {
  const own = new Set(SPEC_TILES.map(({ id }) => id))
  for (const { id, logo } of tiles) expect([id, logo === null]).toEqual([id, own.has(id)])
})

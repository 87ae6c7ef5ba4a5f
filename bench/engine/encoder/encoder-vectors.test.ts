import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openEncoder } from '@groundswell/encoder/index.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encoderVectors } from './encoder-vectors.ts'

let cacheFolder: string
beforeAll(async () => {
  cacheFolder = await mkdtemp(path.join(tmpdir(), 'vectors-'))
})
afterAll(() => rm(cacheFolder, { recursive: true }))

test('computes each text once, and reads the same bits from the cache', async () => {
  const files = async () => (await readdir(path.join(cacheFolder, 'all-MiniLM-L6-v2-feedback-v1'))).length
  const [export1, other, again] = await encoderVectors(['Export fails', 'Dark mode', 'Export fails'], { cacheFolder })
  expect(again).toBe(export1)
  expect([export1, other]).toEqual((await openEncoder()).encode(['Export fails', 'Dark mode']))
  expect(await files()).toBe(1)
  expect(await encoderVectors(['Dark mode', 'Export fails'], { cacheFolder })).toEqual([other, export1])
  expect(await files()).toBe(1)
  const [, added] = await encoderVectors(['Dark mode', 'New text'], { cacheFolder })
  expect(await encoderVectors(['New text'], { cacheFolder })).toEqual([added])
  expect(await files()).toBe(2)
})

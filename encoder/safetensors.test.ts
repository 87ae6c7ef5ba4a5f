import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BadTensors, openTensors } from './safetensors.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tensors-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function fileOf(header: string | Buffer, data: Uint8Array, headerBytes = header.length): Promise<string> {
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(headerBytes))
  const file = path.join(folder, 'model.safetensors')
  await writeFile(file, Buffer.concat([length, Buffer.from(header), data]))
  return file
}

const HEADER = JSON.stringify({
  __metadata__: { format: 'pt' },
  half: { dtype: 'F16', shape: [2, 2], data_offsets: [0, 8] },
  whole: { dtype: 'F32', shape: [2], data_offsets: [8, 16] },
  other: { dtype: 'BF16', shape: [4], data_offsets: [0, 8] },
})
const DATA = Buffer.concat([
  new Uint8Array(Float16Array.of(1, -2.5, 0.333, 65504).buffer),
  new Uint8Array(Float32Array.of(0.1, -1e30).buffer),
])

test('reads numbers of 16 and of 32 bits', async () => {
  const tensors = openTensors(await fileOf(HEADER, DATA))
  expect(tensors.read('half', [2, 2])).toEqual(Float16Array.of(1, -2.5, 0.333, 65504))
  expect(tensors.read('whole', [2])).toEqual(Float32Array.of(0.1, -1e30))
  tensors.close()
})

test.each([
  ['is not there', 'absent', [2], 'there is no tensor absent'],
  ['has another shape', 'half', [4], 'the tensor half is F16 [2,2], not F16 or F32 [4]'],
  ['has numbers of another kind', 'other', [4], 'the tensor other is BF16 [4], not F16 or F32 [4]'],
])('rejects a tensor that %s', async (_, name, shape, message) => {
  const tensors = openTensors(await fileOf(HEADER, DATA))
  expect(() => tensors.read(name, shape)).toThrow(new BadTensors(message))
  tensors.close()
})

test('rejects files that are no tensors, and closes them', async () => {
  await expect(async () => openTensors(await fileOf('{', DATA))).rejects.toThrow(
    new BadTensors('the header is not JSON'),
  )
  await expect(async () => openTensors(await fileOf('', DATA, 1e9))).rejects.toThrow(BadTensors)
  await expect(async () => openTensors(await fileOf('', Buffer.alloc(0), 900))).rejects.toThrow('the file ends early')
  const tensors = openTensors(await fileOf(HEADER, DATA.subarray(0, 10)))
  expect(() => tensors.read('whole', [2])).toThrow(new BadTensors('the file ends early'))
  tensors.close()
})

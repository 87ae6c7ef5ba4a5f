import { expect, it } from 'vitest'
import { acceptText } from './accept-text.ts'

const MIB = 1024 * 1024

/** A file of that many MiB, and how much of it was asked for. */
function file(mebibytes: number, piece: (at: number) => Buffer) {
  const asked = { mebibytes: 0 }
  async function* bytes() {
    for (let at = 0; at < mebibytes; at += 1) {
      asked.mebibytes += 1
      yield piece(at)
    }
  }
  return { bytes: bytes(), asked }
}

async function accepted(bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0
  for await (const chunk of acceptText(bytes, { encoding: null })) size += chunk.byteLength
  return size
}

const plain = Buffer.alloc(MIB, 'x')

it('refuses a file as soon as a line is longer than 16 MiB, and reads no more of it', async () => {
  const { bytes, asked } = file(600, (at) =>
    at === 0 ? Buffer.concat([Buffer.from('{"id": 1}\n{"text": "'), plain]) : plain,
  )
  await expect(accepted(bytes)).rejects.toMatchObject({ code: 'invalid_input', message: /longer than 16 MiB/ })
  expect(asked.mebibytes).toBe(16)
})

it('accepts long lines up to that, and any break between them', async () => {
  for (const end of ['\n', '\r', '\r\n']) {
    const broken = Buffer.concat([plain.subarray(end.length), Buffer.from(end)])
    const { bytes } = file(64, (at) => (at % 16 === 15 ? broken : plain))
    expect(await accepted(bytes)).toBe(64 * MIB)
  }
})

it.each(['\ufeff [{"text": "', '{"count": 1, "data": [{"text": "', 'PK\u0003\u0004'])(
  'accepts a file without lines: %s',
  async (begins) => {
    const { bytes } = file(40, (at) => (at === 0 ? Buffer.concat([Buffer.from(begins), plain]) : plain))
    expect(await accepted(bytes)).toBeGreaterThan(40 * MIB)
  },
)

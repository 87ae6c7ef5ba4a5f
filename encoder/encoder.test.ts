import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DIMENSIONS, type Encoder, openEncoder, VERSION } from './encoder.ts'
import { findModel, ModelMissing } from './model-folder.ts'
import { cosine, MIN_COSINE, passesSelfTest, type Reference, readReference } from './self-test.ts'

/** By model and version: the SHA-256 of the vectors of all reference texts. If one differs, vectors change: raise `VERSION` and add a line. */
const BITS: Record<string, string> = {
  'all-MiniLM-L6-v2, 1': '91ef1c7e0ccc5d0e39e78115b3b6e9124ea735132f05503ad556521838eeda2f',
  'all-MiniLM-L6-v2-feedback, 1': '8b02f9ca79fd453724778c9416f6d77df7f7af15ecc674a4179ff5be44809128',
}
const bitsOfVersion = ({ model }: Pick<Encoder, 'model'>) => BITS[`${model}, ${VERSION}`]

let encoder: Encoder
let base: Encoder
let reference: Reference[]
let folder: string
beforeAll(async () => {
  encoder = await openEncoder()
  base = await openEncoder({ adapter: false })
  reference = await readReference()
  folder = await mkdtemp(path.join(tmpdir(), 'encoder-'))
})
afterAll(() => rm(folder, { recursive: true }))

function bitsOf(vectors: readonly Float32Array[]): string {
  const hash = createHash('sha256')
  for (const { buffer } of vectors) hash.update(new Uint8Array(buffer))
  return hash.digest('hex')
}

test('its vectors are those of another implementation of the model', () => {
  for (const one of [encoder, base]) {
    const vectors = one.encode(reference.map(({ text }) => text))
    const cosines = vectors.map((vector, index) => {
      const { vector: plain, adapted } = reference[index] as Reference
      return cosine(vector, one === encoder ? adapted : plain)
    })
    expect(cosines).toHaveLength(40)
    expect(Math.min(...cosines)).toBeGreaterThan(MIN_COSINE)
    for (const vector of vectors) {
      expect(vector).toHaveLength(DIMENSIONS)
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
    }
  }
})

test('the adapter changes the vectors, and is another model', () => {
  expect([encoder.model, base.model]).toEqual(['all-MiniLM-L6-v2-feedback', 'all-MiniLM-L6-v2'])
  expect([encoder.isKnown, base.isKnown]).toEqual([true, true])
  const [one, other] = [encoder, base].map((model) => model.encode(['The export stops'])[0] as Float32Array)
  expect(cosine(one as Float32Array, other as Float32Array)).toBeLessThan(0.98)
})

test('a text has the same bits alone, in any batch and in any order, and those of this version', () => {
  const texts = reference.map(({ text }) => text)
  for (const one of [encoder, base]) {
    const together = one.encode(texts)
    const backwards = one.encode(texts.toReversed()).toReversed()
    const alone = texts.flatMap((text) => one.encode([text]))
    expect([bitsOf(backwards), bitsOf(alone)]).toEqual([bitsOf(together), bitsOf(together)])
    expect(bitsOf(together)).toBe(bitsOfVersion(one))
  }
})

test("V8's revectorizer computes the same bits", async () => {
  const program = `
    import { createHash } from 'node:crypto'
    import { openEncoder, readReference } from ${JSON.stringify(path.join(import.meta.dirname, 'index.ts'))}
    const vectors = (await openEncoder({}, { revectorize: true })).encode((await readReference()).map(({ text }) => text))
    const hash = createHash('sha256')
    for (const { buffer } of vectors) hash.update(new Uint8Array(buffer))
    process.stdout.write(hash.digest('hex'))`
  const args = ['--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toBe(bitsOfVersion(encoder))
})

test('reads nothing after the first 256 tokens, and accepts an empty text', () => {
  const [one, other, empty] = encoder.encode([`${'word '.repeat(254)} cat`, `${'word '.repeat(254)} dog`, ''])
  expect(one).toEqual(other)
  expect(empty).toHaveLength(DIMENSIONS)
  expect(encoder.encode([])).toEqual([])
})

test('the self-test passes, and fails when vectors are wrong', async () => {
  expect(await passesSelfTest(encoder)).toBe(true)
  const wrong = (change: (vector: Float32Array) => Float32Array): Encoder => ({
    ...encoder,
    encode: (texts) => encoder.encode(texts).map(change),
  })
  expect(await passesSelfTest(wrong((vector) => vector.toReversed()))).toBe(false)
  expect(await passesSelfTest(wrong((vector) => vector.map(() => Number.NaN)))).toBe(false)
  expect(await passesSelfTest({ ...wrong((vector) => vector.toReversed()), isKnown: false })).toBe(true)
  expect(await passesSelfTest({ ...wrong((vector) => vector.map((x) => x / 2)), isKnown: false })).toBe(false)
})

test('a copy of the weights is the same model; others have their own name', async () => {
  const { weights, tokenizer, adapter } = await findModel()
  expect(adapter).not.toBeNull()
  await symlink(weights, path.join(folder, 'model.safetensors'))
  await copyFile(tokenizer, path.join(folder, 'tokenizer.json'))
  expect(await findModel({ folder })).toMatchObject({ name: 'all-MiniLM-L6-v2', adapter: null, isKnown: true })
  await writeFile(path.join(folder, 'tokenizer.json'), '{}')
  const { name, isKnown } = await findModel({ folder })
  expect([name, isKnown]).toEqual([expect.stringMatching(/^encoder-\w+-[0-9a-f]{8}$/), false])
})

test('says why a model cannot be used', async () => {
  const missing = path.join(folder, 'missing')
  await expect(openEncoder({ folder: missing })).rejects.toThrow(
    new ModelMissing(`the folder ${missing} has no tokenizer.json and model.safetensors`),
  )
  await rm(path.join(folder, 'model.safetensors'))
  await copyFile((await findModel()).tokenizer, path.join(folder, 'tokenizer.json'))
  await writeFile(path.join(folder, 'model.safetensors'), 'something else')
  await expect(openEncoder({ folder })).rejects.toThrow(
    /^the model encoder-.* is not of the shape of all-MiniLM-L6-v2: /,
  )
})

// Compares the encoder with another implementation of the same model, candle at 32 bits, on 500 of our own texts. That is not a
// dependency; install it outside of the project:
//   npm install --prefix FOLDER @lat.md/embed@0.2.0
//   node bench/engine/encoder/encoder-reference.ts FOLDER [--write]
// With --write, the vectors of some texts become the reference of the encoder's self-test and tests.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { openEncoder } from '@groundswell/encoder/index.ts'
import { findModel } from '@groundswell/encoder/model-folder.ts'
import { cosine } from '@groundswell/encoder/self-test.ts'
import { ownTexts } from './encoder-texts.ts'

const TEXTS = 500
const KEPT_TEXTS = 32
const MAX_TOKENS = 256
/** Kept as well: what tokenizers and kernels find hard. */
const HARD_TEXTS = [
  'a',
  '?!… — “quoted” (brackets) [UNK] {braces} 50%',
  'Ça n’a jamais marché à l’été, naïve façade, Ångström, ﬁnal ﬂow',
  '支払いページが真っ白になります。 结账页面打不开',
  '🎉🎉 love it 👍🏽 but 💔 after the update 🇩🇪',
  `${'The monthly report never finishes and nobody answers. '.repeat(60)}`,
  `id ${'x'.repeat(150)} ${'supercalifragilistic'.repeat(4)}`,
  'Tab\tseparated\r\nlines\u0000with\u200bcontrol\u00adcharacters',
]

type Reference = { embed(texts: string[]): number[][] }
type Library = {
  loadWasmEngine: () => {
    Embedder: new (weights: Uint8Array, tokenizer: Uint8Array, config: Uint8Array, maxTokens: number) => Reference
  }
}

async function openReference(folder: string): Promise<Reference> {
  const library = path.resolve(folder, 'node_modules', '@lat.md', 'embed', 'dist', 'wasm-loader.js')
  const { loadWasmEngine } = (await import(library)) as Library
  const { weights, tokenizer } = await findModel()
  const config = path.join(path.dirname(weights), 'config.json')
  const { Embedder } = loadWasmEngine()
  return new Embedder(readFileSync(weights), readFileSync(tokenizer), readFileSync(config), MAX_TOKENS)
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { write: { type: 'boolean' } } })
const reference = await openReference(positionals[0] ?? '.')
const encoder = await openEncoder()
const vectorOf = (text: string) => reference.embed([text])[0] as number[]

const texts = ownTexts(TEXTS)
const vectors = encoder.encode(texts)
const cosines = texts.map((text, index) => cosine(vectors[index] as Float32Array, vectorOf(text))).sort((a, b) => a - b)
const at = (share: number) => (cosines[Math.floor(share * (cosines.length - 1))] as number).toFixed(6)
process.stdout.write(`${texts.length} texts: least cosine ${at(0)}, 5th percentile ${at(0.05)}, median ${at(0.5)}\n`)
if (values.write) {
  const rows = [...ownTexts(KEPT_TEXTS), ...HARD_TEXTS].map((text) => {
    const { buffer } = Float16Array.from(vectorOf(text))
    return { text, vector: Buffer.from(buffer).toString('base64') }
  })
  const file = path.resolve(import.meta.dirname, '..', '..', '..', 'encoder', 'reference.json')
  writeFileSync(file, `${JSON.stringify(rows, null, 2)}\n`)
}

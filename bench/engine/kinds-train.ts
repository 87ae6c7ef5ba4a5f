// Trains the classifier of kinds on the labelled statements; npm run bench:kinds measures it afterwards.
//   node bench/engine/kinds-train.ts [--data=FOLDER]
// FOLDER: see kinds.ts. Without it the classifier is trained on our own examples alone. Writes engine/kinds/weights and the vectors that
// the tests need. The same examples give the same bytes.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { encode } from '@groundswell/engine/kinds/model.ts'
import { quantise } from '@groundswell/engine/text/statement-vectors.ts'
import { encoderVectors } from './encoder-vectors.ts'
import { evaluationOf, ownExamples, realExamples, trainingOf } from './kinds-examples.ts'
import { samplesOf } from './kinds-samples.ts'
import { train } from './kinds-training.ts'

const ROOT = path.resolve(import.meta.dirname, '..', '..')

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { data: { type: 'string' } } })
  const own = ownExamples()
  const examples = trainingOf([...own, ...(values.data === undefined ? [] : realExamples(values.data))])
  for (const space of ['encoder', 'words'] as const) {
    const model = train(await samplesOf(examples, space))
    writeJson(path.join(ROOT, 'engine', 'kinds', 'weights', `${space}.json`), encode(model))
    process.stdout.write(`${space}: ${examples.length} examples, temperature ${model.temperature}\n`)
  }
  const vectors = await encoderVectors(evaluationOf(own).map(({ text }) => text))
  const bytes = Buffer.concat(vectors.map((vector) => Buffer.from(quantise(vector).buffer)))
  writeJson(path.join(ROOT, 'fixtures', 'engine', 'kinds', 'own-vectors.json'), { vectors: bytes.toString('base64') })
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}

await main()

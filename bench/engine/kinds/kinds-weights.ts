import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { encode } from '@groundswell/engine/kinds/model.ts'
import { quantise } from '@groundswell/engine/text/packed-vectors.ts'
import { evaluationOf, ownExamples, realExamples, trainingOf } from './kinds-examples.ts'
import { trainingSamplesOf, vectorsOf } from './kinds-samples.ts'
import { train } from './kinds-training.ts'

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..')

/**
 * Trains the classifier of kinds and writes its weights, and the vectors that the tests need. `data`: the folder of the real sets; without it
 * our own examples alone count. The same examples give the same bytes. Throws `ModelMissing` without the encoder.
 */
export async function trainAndStore(data?: string): Promise<void> {
  const own = ownExamples()
  const examples = trainingOf([...own, ...(data === undefined ? [] : realExamples(data))])
  for (const space of ['encoder', 'words'] as const) {
    const model = train(await trainingSamplesOf(examples, space))
    writeJson(path.join(ROOT, 'engine', 'kinds', 'weights', `${space}.json`), encode(model))
    process.stdout.write(`${space}: ${examples.length} examples, temperature ${model.temperature}\n`)
  }
  const vectors = await vectorsOf(evaluationOf(own).map(({ text }) => text))
  const bytes = Buffer.concat(vectors.map((vector) => Buffer.from(quantise(vector).buffer)))
  writeJson(path.join(ROOT, 'fixtures', 'engine', 'kinds', 'own-vectors.json'), { vectors: bytes.toString('base64') })
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}

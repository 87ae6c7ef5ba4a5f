// Makes the demo's comparison directory and eval sessions, and the cases of the regression check, from the made-up company's feedback, as `groundswell eval`
// does:
//   node server/demo/make-evaluations.ts && npx biome format --write server/demo
// It needs no key, and gives the same files every time.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { writeCases } from '../features/evaluation/index.ts'
import { makeCases } from './made-cases.ts'
import { makeEvaluations } from './made-evaluations.ts'

const folders = ['comparisons', 'evals'].map((name) => path.join(import.meta.dirname, name))
for (const folder of folders) {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
}
await makeEvaluations(import.meta.dirname)
await writeFile(path.join(import.meta.dirname, 'cases.jsonl'), writeCases(makeCases()))
for (const folder of folders) process.stdout.write(`${folder}: ${(await readdir(folder)).join(', ')}\n`)

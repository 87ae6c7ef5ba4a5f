import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { evaluationFormats } from '../features/evaluation/index.ts'
import { given } from './eval-generate.ts'

/** Writes the file formats of evaluation as JSON Schema into a folder; without one they are printed as one object. */
export async function writeFormats({ out }: { out?: string }): Promise<void> {
  const formats = evaluationFormats()
  if (out === undefined) {
    process.stdout.write(`${JSON.stringify(formats, null, 2)}\n`)
    return
  }
  await mkdir(given(out), { recursive: true })
  for (const [file, schema] of Object.entries(formats)) {
    await writeFile(path.join(given(out), file), `${JSON.stringify(schema, null, 2)}\n`)
  }
}

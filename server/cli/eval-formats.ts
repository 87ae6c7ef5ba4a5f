import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { evaluationFormats } from '../features/evaluation/index.ts'
import { pathOf, type Terminal } from './terminal.ts'

/** Writes the file formats of evaluation as JSON Schema into a folder; without one they are printed as one object. */
export async function writeFormats(terminal: Terminal, { out }: { out?: string }): Promise<void> {
  const formats = evaluationFormats()
  if (out === undefined) {
    terminal.stdout.write(`${JSON.stringify(formats, null, 2)}\n`)
    return
  }
  const folder = pathOf(terminal, out)
  await mkdir(folder, { recursive: true })
  for (const [file, schema] of Object.entries(formats)) {
    await writeFile(path.join(folder, file), `${JSON.stringify(schema, null, 2)}\n`)
  }
}

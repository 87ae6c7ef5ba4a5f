import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { evaluationFormats } from './formats.ts'

const folder = path.resolve(import.meta.dirname, '../../../docs/evaluation')

test.each(Object.entries(evaluationFormats()))(
  '%s is what the code reads; groundswell eval formats --out docs/evaluation writes it again',
  async (file, schema) => {
    expect(JSON.parse(await readFile(path.join(folder, file), 'utf8'))).toEqual(schema)
  },
)

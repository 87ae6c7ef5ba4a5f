import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { startVitest } from 'vitest/node'
import { filesOf, loadColumns } from './conformance/matrix.ts'
import { matrixDocument } from './conformance/matrix-text.ts'
import { connectors } from './index.ts'

/** Runs every test of the acceptance matrix, prints it, and writes its table to docs/connector-matrix.md. */
const root = path.resolve(import.meta.dirname, '..')
const document = path.join(root, 'docs/connector-matrix.md')
const columns = await loadColumns(connectors)
process.env['MATRIX'] = 'complete'
const reporters = ['dot', path.join(import.meta.dirname, 'vitest-matrix.ts')]
await startVitest('test', filesOf(columns), { root, reporters, run: true, watch: false })
const [before = ''] = readFileSync(document, 'utf8').split(/^(?=\| #)/m)
writeFileSync(document, before + matrixDocument(columns))

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const STATES = ['proved', 'by the library’s default', 'not applicable', 'missing']

/** The rows of `docs/spec-coverage.md`: a statement of the specification, what proves it, and how it stands. */
function statements() {
  return readFileSync(path.join(root, 'docs/spec-coverage.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---') && !line.startsWith('| statement'))
    .map((line) => {
      const [statement = '', proof = '', state = ''] = line
        .slice(2, -1)
        .trimEnd()
        .split(/ *(?<!\\)\| */)
      const [, file = '', name = ''] = /^`(\S+)` › (.+)$/.exec(proof) ?? []
      return { statement, proof, state, file, name }
    })
}

test('every statement of the specification has a known state, and none is missing', () => {
  const rows = statements()
  expect(rows.length).toBeGreaterThan(150)
  expect(rows.filter(({ state }) => !STATES.includes(state))).toEqual([])
  expect(rows.filter(({ state }) => state === 'missing')).toEqual([])
})

test('every test that is named as a proof exists; what is not applicable says why', () => {
  const faults = statements().filter(({ proof, state, file, name }) => {
    if (state === 'not applicable') return proof.length < 20
    if (file === '' || !existsSync(path.join(root, file))) return true
    const source = readFileSync(path.join(root, file), 'utf8')
    return !source.includes(`'${name}'`) && !source.includes(`"${name}"`)
  })
  expect(faults).toEqual([])
})

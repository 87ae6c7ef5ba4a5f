import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { namesNumber, numbersIn, proofText } from './proof-text.ts'

const root = path.resolve(import.meta.dirname, '..')
const STATES = ['proved', 'by the library’s default', 'not applicable', 'missing']

/** The rows of `docs/spec-coverage.md`: a statement of the specification, its proof, and its state. */
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

/** The rows that a test proves, each with the text of its test except for its title, which checks nothing. */
function proofs() {
  return statements()
    .filter(({ file }) => file !== '')
    .map(({ statement, file, name }) => {
      const source = readFileSync(path.join(root, file), 'utf8')
      return { statement, file, name, proof: (proofText(source, name) ?? '').replaceAll(name, '') }
    })
}

const MEASURED = /\b(?:styleOf|boxOf|boundingBox)\(/
const SEEN = /\b(?:grey|orange|green|red|px|at the bottom|at the right|highlighted)\b/i

test('what a row says of colour, size or place is measured: by computed style or bounding boxes', () => {
  const faults = proofs().filter(({ statement, proof }) => SEEN.test(statement) && !MEASURED.test(proof))
  expect(faults.map(({ statement, name }) => ({ statement, name }))).toEqual([])
})

test('every number of a row is in its test', () => {
  const faults = proofs().flatMap(({ statement, name, proof }) =>
    numbersIn(statement)
      .filter((number) => !namesNumber(proof, number))
      .map((number) => ({ statement, number, name })),
  )
  expect(faults).toEqual([])
})

test('every sentence that a row quotes is in its test', () => {
  const faults = proofs().flatMap(({ statement, name, proof }) =>
    (
      statement.match(
        /(?:Failed to|Are you sure|Please|Wrong email|Error creating|You are connected|Your Slack)[^,:{]*/g,
      ) ?? []
    )
      .filter((sentence) => !proof.includes(sentence.trim()))
      .map((sentence) => ({ statement, sentence, name })),
  )
  expect(faults).toEqual([])
})

test('a proof asserts something, reads no text of a package and finds no colour by an attribute', () => {
  const faults = proofs().filter(({ file, proof }) => {
    const source = readFileSync(path.join(root, file), 'utf8')
    const asserts = /\bexpect\b|\.waitFor(?:URL)?\(/.test(proof)
    return !asserts || /node_modules|\[data-colou?r=/.test(source)
  })
  expect(faults.map(({ statement, name }) => ({ statement, name }))).toEqual([])
})

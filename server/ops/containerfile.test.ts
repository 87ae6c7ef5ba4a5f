import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { instructionsIn } from './containerfile.ts'

test('continued lines are one instruction, and comments none', () => {
  expect(instructionsIn('# A comment\nFROM a AS b\nRUN one && \\\n    two\n\n  # Another\nCMD ["c"]\n')).toEqual([
    { name: 'FROM', text: 'a AS b' },
    { name: 'RUN', text: 'one && two' },
    { name: 'CMD', text: '["c"]' },
  ])
  expect(() => instructionsIn('FROM a\nwhatever')).toThrow('not an instruction: whatever')
})

test('our Containerfile has instructions alone that the check carries out', () => {
  const file = readFileSync(new URL('../../docs/deployment/Containerfile', import.meta.url), 'utf8')
  const known = ['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'CMD']
  expect(known).toEqual(expect.arrayContaining(instructionsIn(file).map(({ name }) => name)))
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { expect, test } from 'vitest'

// The checks of operations that are quick and need no package of Debian. All of them: npm run test:ops.

test.for(['bad-backups', 'scheduled-backups'])('%s', async (name, { skip }) => {
  // It fills a small disk of its own.
  if (name === 'scheduled-backups' && process.getuid?.() !== 0) skip('it needs root to mount a disk')
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'checks', `${name}.ts`)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  await once(child, 'close')
  expect(output).toMatch(new RegExp(`^PASS ${name}`, 'm'))
  expect(child.exitCode).toBe(0)
})

import { execFile } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from './run-command.ts'

const script = `process.stdout.write('a begins, '); process.stderr.write('b\\n\\n'); setTimeout(() => { console.log('a ends'); process.exitCode = 3 }, 50)`

test('a program with a label prints whole lines, each with the label', async () => {
  const runs = `import { runCommand } from ${JSON.stringify(path.join(import.meta.dirname, 'run-command.ts'))}
    const ended = await runCommand('node', ['-e', ${JSON.stringify(script)}], { label: 'one | ' })
    console.log(JSON.stringify([ended.code, ended.output]))`
  const printed = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, ['--input-type=module', '-e', runs], (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    )
  })
  expect(printed.split('\n').toSorted()).toEqual(['', '', '[3,""]', 'one | a begins, a ends', 'one | b'])
})

test('a program whose output is collected prints nothing', async () => {
  const { code, output } = await runCommand('node', ['-e', script], { collect: true })
  expect(code).toBe(3)
  expect(output).toContain('a begins, ')
  expect(output).toContain('a ends\n')
})

import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

export const root = path.resolve(import.meta.dirname, '../..')

/** What the linter reports of a file with this text: a line for each finding, or `passed`. `file`: from the root; it exists only meanwhile. */
export async function lint(file: string, text: string): Promise<string> {
  const place = path.join(root, file)
  await writeFile(place, text)
  try {
    const run = promisify(execFile)(path.join(root, 'node_modules/.bin/oxlint'), ['--format=unix', place], {
      cwd: root,
    })
    return await run.then(
      () => 'passed',
      (error: { stdout: string }) => error.stdout,
    )
  } finally {
    await rm(place)
  }
}

/** The numbers of the lines at which a rule has findings, ascending. `rule`: as in the output, `words(in-lexicons)`. */
export async function linesWith(rule: string, file: string, text: string): Promise<number[]> {
  const lines = (await lint(file, text)).split('\n').filter((line) => line.includes(rule))
  return lines.map((line) => Number(/:(\d+):\d+:/.exec(line)?.[1])).sort((a, b) => a - b)
}

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

export const root = path.resolve(import.meta.dirname, '../..')

/**
 * What the linter reports about a file with this text, one finding a line, or `passed`. `file`: from the root; it exists only meanwhile. Rules that need
 * types are left out: ours need none, and reading the types of the whole product takes 4 CPU seconds.
 */
export async function lint(file: string, text: string): Promise<string> {
  const place = path.join(root, file)
  const folder = await mkdtemp(path.join(tmpdir(), 'lint-'))
  const config = path.join(folder, 'oxlintrc.json')
  await writeFile(
    config,
    JSON.stringify({ extends: [path.join(root, '.oxlintrc.json')], options: { typeAware: false } }),
  )
  await writeFile(place, text)
  try {
    const linter = path.join(root, 'node_modules/.bin/oxlint')
    const run = promisify(execFile)(linter, [`--config=${config}`, '--format=unix', place], { cwd: root })
    return await run.then(
      () => 'passed',
      (error: { stdout: string }) => error.stdout,
    )
  } finally {
    await rm(place)
    await rm(folder, { recursive: true })
  }
}

/** The numbers of the lines at which a rule has findings, ascending. `rule`: as in the output, `words(in-lexicons)`. */
export async function linesWith(rule: string, file: string, text: string): Promise<number[]> {
  const lines = (await lint(file, text)).split('\n').filter((line) => line.includes(rule))
  return lines.map((line) => Number(/:(\d+):\d+:/.exec(line)?.[1])).sort((a, b) => a - b)
}

import { writeFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { pagedFiles } from './session-pages.ts'

/** A session of about 3 MiB; each of its response evaluations has `notes`. */
function sessionOf(notes: string, rows: number): string {
  const input = 'x'.repeat((3 * 1024 ** 2) / rows)
  const row = { notes, rubrics_responses_evaluations: [], formatted_user_input: input }
  return JSON.stringify({ evaluators: [], response_evaluations: Array.from({ length: rows }, () => row) })
}

it('a file that is replaced while it is read is read again: what is returned is of one version', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'groundswell-pages-'))
  const file = path.join(folder, 'session.json')
  const [before, after] = [sessionOf('before', 50), sessionOf('after', 70)]
  for (let turns = 0; turns < 20; turns += 1) {
    await writeFile(file, before)
    const pages = pagedFiles().read(file, 40, 10)
    for (let turn = 0; turn < turns; turn += 1) await setImmediate()
    writeFileSync(file, after)
    const { total, response_evaluations: rows } = await pages
    const notes = new Set(rows.map((row) => row.notes))
    expect([turns, total, ...notes]).toEqual([turns, ...(total === 50 ? [50, 'before'] : [70, 'after'])])
    expect(rows).toHaveLength(10)
  }
  await rm(folder, { recursive: true })
})

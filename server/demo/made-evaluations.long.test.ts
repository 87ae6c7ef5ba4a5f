import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { makeEvaluations } from './made-evaluations.ts'

test('the demo’s comparisons and sessions are what the product makes of the company’s feedback; node server/demo/make-evaluations.ts makes them again', async () => {
  const made = await mkdtemp(path.join(tmpdir(), 'groundswell-made-'))
  try {
    await makeEvaluations(made)
    for (const folder of ['comparisons/two-weeks', 'evals']) {
      const names = await readdir(path.join(import.meta.dirname, folder))
      expect((await readdir(path.join(made, folder))).toSorted()).toEqual(names.toSorted())
      for (const name of names) {
        const [kept, now] = await Promise.all(
          [import.meta.dirname, made].map(async (root) =>
            JSON.parse(await readFile(path.join(root, folder, name), 'utf8')),
          ),
        )
        expect({ name, content: now }).toEqual({ name, content: kept })
      }
    }
  } finally {
    await rm(made, { recursive: true })
  }
})

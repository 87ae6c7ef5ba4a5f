import fc from 'fast-check'
import { afterEach } from 'vitest'
import { isSample, seed } from './extent.ts'

// Runs in each process before its file of long tests: inputs are chosen by the seed of the run, and what fails says at once why, and how to repeat it.

fc.configureGlobal({ seed })

afterEach(({ onTestFailed, task }) => {
  onTestFailed(() => {
    const [first] = task.result?.errors ?? []
    process.stdout.write(
      `${task.name} failed: SEED=${seed} npm run test:${isSample ? 'sample' : 'long'} repeats it\n${first?.message}\n`,
    )
  })
})

import { beforeEach } from 'vitest'
import { withWorld, world } from '../testing.ts'
import { CorrectedWorkspace } from './testing.ts'

export { world }

/** For each test a new workspace with 80 messages in four insights. */
export let corrected: CorrectedWorkspace
/** The numbers of two of its insights. */
export let csv: number
export let mail: number

/** Creates them for the tests of the calling file. */
export function useFreshWorkspaces(): void {
  withWorld()
  beforeEach(async () => {
    corrected = await CorrectedWorkspace.create(world)
    csv = Number(await corrected.issueOf('m0'))
    mail = Number(await corrected.issueOf('m1'))
  })
}

import { afterAll, beforeAll, beforeEach } from 'vitest'
import { World } from '../testing.ts'
import { CorrectedWorkspace } from './testing.ts'

/** One server per test file, and for each test a new workspace with 80 messages in four insights. */
export let world: World
export let corrected: CorrectedWorkspace
/** The numbers of two of its insights. */
export let csv: number
export let mail: number

/** Creates them for the tests of the calling file. */
export function useFreshWorkspaces(): void {
  beforeAll(async () => {
    world = await World.start()
  })
  afterAll(() => world.stop())
  beforeEach(async () => {
    corrected = await CorrectedWorkspace.create(world)
    csv = Number(await corrected.issueOf('m0'))
    mail = Number(await corrected.issueOf('m1'))
  })
}

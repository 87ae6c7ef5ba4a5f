import { afterAll, beforeAll, beforeEach } from 'vitest'
import { World } from '../testing.ts'
import { Corrected } from './testing.ts'

/** One world for a file of tests, and for each test a workspace of its own with 80 messages in four insights. */
export let world: World
export let it: Corrected
/** The numbers of two of its insights. */
export let csv: number
export let mail: number

/** Has all of that made for the tests of the file that calls it. */
export function useFreshWorkspaces(): void {
  beforeAll(async () => {
    world = await World.start()
  })
  afterAll(() => world.stop())
  beforeEach(async () => {
    it = await Corrected.begin(world)
    csv = Number(await it.issueOf('m0'))
    mail = Number(await it.issueOf('m1'))
  })
}

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { World } from '../../testing.ts'
import { EXPORTS, LOGINS, ReviewWorld, received, STRANGER } from './testing.ts'

let world: World
let review: ReviewWorld

beforeAll(async () => {
  world = await World.start()
})
afterAll(() => world.stop())
beforeEach(async () => {
  review = await ReviewWorld.start(world)
})
afterEach(() => review.model.stop())

describe('a review', () => {
  test('probe', async () => {
    console.log(await review.company.placed())
    await review.choose(true)
    console.log(await review.due(), await review.review(), JSON.stringify(review.model.heard.map(received), null, 1))
    console.log(await review.moves(), await review.reviewed())
    await review.company.group()
    console.log(await review.moves(), await review.events(), await review.issueOf('stranger'))
  })
})

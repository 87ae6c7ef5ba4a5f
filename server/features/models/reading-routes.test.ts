import type { ReadingState } from '@groundswell/contract/feedback/reading.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { believingServer } from '../../platform/http/testing.ts'
import { readingRoutes } from './reading-routes.ts'
import { ReviewWorld } from './tasks/reviews/testing.ts'
import { withWorld, world } from './testing.ts'

withWorld()

test('says what reading the stored messages may change, and what reviews take, without asking the model', async () => {
  const review = await ReviewWorld.start(world)
  const { workspaceId } = review.company
  const services = world.otherProcess()
  services.config = { ...services.config, llm: world.settings(review.model) }
  const app = await believingServer(services, readingRoutes(services))
  const state = async () => {
    const headers = { authorization: `Bearer ${workspaceId}` }
    return (await app.inject({ method: 'GET', url: '/api/reading', headers })).json<ReadingState>()
  }
  expect(await state()).toMatchObject({
    scope: 'off',
    stored: 12,
    tokens: 750,
    reach: { insights: 2, insights_to_change: 2, ungrouped: 0, kept: 0 },
    reviews_due: 2,
    review_tokens: { least: 1_004, most: 1_580 },
  })
  await review.company.store([
    { id: 'invoice', text: 'The invoice of March shows the wrong address' },
    { id: 'thanks', text: 'Thanks a lot, have a nice day' },
  ])
  await review.company.group()
  await world.inside(workspaceId, (tx) =>
    sql`update insight set locked = true where issue_number = (
      select issue_number from statement s join feedback_item item on item.id = s.item_id where external_id = 'm0')`.execute(
      tx,
    ),
  )
  expect(await state()).toMatchObject({
    stored: 7,
    reach: { insights: 2, insights_to_change: 1, ungrouped: 1, kept: 7 },
    reviews_due: 1,
  })
  await review.choose({ scope: 'all' })
  expect(await state()).not.toHaveProperty('reach')
  expect(review.model.heard).toEqual([])
  await app.close()
  await review.model.stop()
})

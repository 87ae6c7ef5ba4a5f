import { describe, expect, it } from 'vitest'
import { failureFrom } from '../kit/testing.ts'
import { subscriptions } from './subscriptions.ts'
import { SECRET, subscribed } from './testing.ts'

describe('the subscription', () => {
  it('is one webhook for issues of the team, with the secret that was given', async () => {
    await using run = await subscribed()
    expect(run.made.secrets).toEqual({ webhook_secret: SECRET })
    expect([...run.webhooks.all.values()]).toMatchObject([
      { id: run.state.id, teamId: run.workspace.team(0).id, secret: SECRET, resourceTypes: ['Issue'], enabled: true },
    ])
  })

  it('is not created twice, also when its creation was interrupted', async () => {
    await using run = await subscribed()
    await run.ensure(run.state)
    await run.ensure(null)
    expect(run.webhooks.all.size).toBe(1)
  })

  it('is repaired where Linear disabled it or someone deleted it', async () => {
    await using run = await subscribed()
    run.webhooks.change(String(run.state.id), { enabled: false })
    await run.ensure(run.state)
    expect([...run.webhooks.all.values()]).toMatchObject([{ enabled: true }])
    run.webhooks.remove(String(run.state.id))
    expect(await run.ensure(run.state)).toMatchObject({ state: run.state })
    expect(run.webhooks.all.size).toBe(1)
  })

  it('follows the team', async () => {
    await using run = await subscribed()
    run.context.settings.team = [run.workspace.team(1).id]
    const { state } = await run.ensure(run.state)
    expect(state).not.toEqual(run.state)
    expect([...run.webhooks.all.values()]).toMatchObject([{ teamId: run.workspace.team(1).id }])
  })

  it('is removed, also when it is gone already', async () => {
    await using run = await subscribed()
    await subscriptions.remove(run.context, run.state)
    expect(run.webhooks.all.size).toBe(0)
    await subscriptions.remove(run.context, run.state)
    await subscriptions.remove(run.context, {})
  })

  it('is explained where the sign-in may not create one', async () => {
    await using run = await subscribed()
    run.setAdmin(false)
    for (const previous of [null, run.state]) {
      const error = await failureFrom(run.ensure(previous))
      expect(error).toMatchObject({ kind: 'rejected', message: expect.stringContaining('only administrators') })
    }
  })

  it('waits for a team', async () => {
    await using run = await subscribed()
    run.context.settings.team = []
    expect(await failureFrom(run.ensure())).toMatchObject({ message: expect.stringContaining('No team is chosen') })
  })
})

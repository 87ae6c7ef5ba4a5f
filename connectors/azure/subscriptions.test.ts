import { describe, expect, it } from 'vitest'
import { failureFrom } from '../kit/testing.ts'
import { subscriptions } from './subscriptions.ts'
import { requestsOf, SECRET, subscribed } from './testing.ts'

describe('the subscription', () => {
  it('is one service hook for each event of the project, with our secret as the password', async () => {
    await using run = await subscribed()
    expect(run.made.secrets).toEqual({ hook_password: SECRET })
    const common = {
      status: 'enabled',
      publisherId: 'tfs',
      consumerId: 'webHooks',
      consumerActionId: 'httpRequest',
      resourceVersion: '1.0',
      consumerInputs: {
        url: run.address,
        basicAuthUsername: 'groundswell',
        basicAuthPassword: SECRET,
        messagesToSend: 'none',
        detailedMessagesToSend: 'none',
      },
    }
    const projectId = run.account.project(0).id
    expect(run.hooks.all).toMatchObject([
      { ...common, eventType: 'workitem.updated', publisherInputs: { projectId, changedFields: 'System.State' } },
      { ...common, eventType: 'workitem.deleted', publisherInputs: { projectId } },
    ])
    expect(run.state).toEqual({ organisation: 'fabrikam', ids: run.hooks.all.map(({ id }) => id) })
  })

  it('is not created twice, also when its creation was interrupted', async () => {
    await using run = await subscribed()
    const { state } = await run.ensure(run.state)
    expect(state).toEqual(run.state)
    expect((await run.ensure(null)).state).toEqual(run.state)
    const [, deleted] = run.hooks.all
    run.hooks.remove(deleted?.id ?? '')
    await run.ensure(null)
    expect(run.hooks.all.map(({ eventType }) => eventType)).toEqual(['workitem.updated', 'workitem.deleted'])
  })

  it('takes one request while nothing is wrong', async () => {
    await using run = await subscribed()
    const before = run.calls.length
    await run.ensure(run.state)
    expect(requestsOf(run).slice(before)).toEqual(['GET hooks/subscriptions'])
  })

  it.each(['disabledBySystem', 'disabledByUser', 'disabledByInactiveIdentity'])(
    'is created again where it is %s',
    async (status) => {
      await using run = await subscribed()
      const [updated] = run.hooks.all
      Object.assign(updated ?? {}, { status })
      const { state } = await run.ensure(run.state)
      expect(state).not.toEqual(run.state)
      expect(run.hooks.all.map((hook) => hook.status)).toEqual(['enabled', 'enabled'])
      expect(new Set(run.hooks.all.map(({ id }) => id))).toEqual(new Set(state['ids'] as string[]))
    },
  )

  it('stays where it is on probation', async () => {
    await using run = await subscribed()
    for (const hook of run.hooks.all) hook.status = 'onProbation'
    expect((await run.ensure(run.state)).state).toEqual(run.state)
  })

  it('is created again where someone deleted it', async () => {
    await using run = await subscribed()
    run.hooks.all.splice(0)
    const { state } = await run.ensure(run.state)
    expect(run.hooks.all.map(({ id }) => id)).toEqual(state['ids'])
  })

  it('follows the project', async () => {
    await using run = await subscribed()
    const project = run.account.project(1).id
    run.context.settings['project'] = [project]
    await run.ensure(run.state)
    expect(run.hooks.all).toHaveLength(2)
    expect(run.hooks.all.map(({ publisherInputs }) => publisherInputs['projectId'])).toEqual([project, project])
  })

  it('follows the address, and touches nobody else’s hooks', async () => {
    await using run = await subscribed()
    const foreign = {
      ...(run.hooks.all[0] ?? { status: '', publisherId: '', eventType: '', resourceVersion: '', consumerId: '' }),
      id: 'foreign',
      consumerActionId: 'httpRequest',
      publisherInputs: { projectId: run.account.project(0).id },
      consumerInputs: { url: 'https://other.example.com/' },
    }
    run.hooks.all.push(foreign)
    const url = `${run.address}-2`
    await subscriptions.ensure(run.context, { url, secret: 'another', previous: run.state })
    expect(run.hooks.all.map(({ consumerInputs }) => consumerInputs['url'])).toEqual([
      foreign.consumerInputs.url,
      url,
      url,
    ])
  })

  it('is removed, also when it is gone already', async () => {
    await using run = await subscribed()
    await subscriptions.remove(run.context, run.state)
    expect(run.hooks.all).toEqual([])
    await subscriptions.remove(run.context, run.state)
    await subscriptions.remove(run.context, {})
    await subscriptions.remove(run.context, { organisation: 'fabrikam', ids: ['../x'] })
  })

  it('of an organisation that is no longer connected is left alone, so that the token is not refused', async () => {
    await using run = await subscribed()
    const before = run.calls.length
    const context = { ...run.context, settings: { ...run.context.settings, organizations: ['contoso'] } }
    await subscriptions.remove(context, run.state)
    expect(run.calls).toHaveLength(before)
  })

  it('is explained where the sign-in may not create one', async () => {
    await using run = await subscribed()
    run.hooks.allowed = false
    for (const previous of [null, run.state]) {
      const error = await failureFrom(run.ensure(previous))
      expect(error).toMatchObject({ kind: 'rejected', message: expect.stringContaining('changes arrive by polling') })
      expect((error as Error).message).not.toContain('customer words')
    }
  })

  it('waits for a project', async () => {
    await using run = await subscribed()
    run.context.settings['project'] = []
    expect(await failureFrom(run.ensure())).toMatchObject({ message: expect.stringContaining('No project is chosen') })
  })
})

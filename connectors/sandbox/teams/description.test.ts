import { describe, expect, it } from 'vitest'
import { startServer } from '../../kit/testing.ts'
import { choices } from '../../teams/choices.ts'
import { handleEvent } from '../../teams/handle-event.ts'
import { subscriptions } from '../../teams/subscriptions.ts'
import { drain, fill, openTeams, signedIn } from '../../teams/testing.ts'
import { loadCompany } from '../company/company.ts'
import { judgeCalls, NOT_COMPARED, officialDescription } from '../official.ts'

const SECRET = 'secret-of-the-subscription'

describe('Microsoft’s official description', () => {
  it('describes every request that we make and every answer of the sandbox', async ({ skip }) => {
    await using teams = await openTeams({ company: loadCompany(), pageSize: 20, expanded: 20 })
    const [root = ''] = fill(teams, { channel: 'Long', posts: 30, nth: 10, replies: 25 })
    const attachments = [{ contentType: 'reference', name: 'a.png' }]
    teams.post({ channel: 'Long', author: 'Robot', text: 'of an app', from: 'app', attachments })
    teams.post({ channel: 'Long', author: 'Nobody', text: 'joined', type: 'systemEventMessage' })
    teams.remove(teams.post({ channel: 'Long', author: 'Ann', text: 'deleted' }))
    teams.edit(root, 'edited')
    const team = teams.tenant.team.id
    const channel = teams.tenant.channel('Long').id
    const context = await signedIn(teams, { settings: { shared_channels: [`${team}/${channel}`], teams: [team] } })
    await choices(context)
    const { cursor, items } = await drain(context)
    expect(items.length).toBeGreaterThan(100)
    // Later rounds scan for replies, and a refused delta is replaced by lists.
    const second = await drain(context, cursor)
    teams.refuseDelta(true)
    await drain(context)
    await drain(context, second.cursor)
    const reply = teams.tenant.messages.find((one) => one.root === root)?.id ?? ''
    await handleEvent(context, { team, channel, root, reply: null, change: 'updated' })
    await handleEvent(context, { team, channel, root, reply, change: 'updated' })
    await using address = await openAddress()
    const request = { url: address.url, secret: SECRET }
    const made = await subscriptions.ensure(context, { ...request, previous: null })
    const renewed = await subscriptions.ensure(context, { ...request, previous: made.state })
    const [subscription] = teams.subscribers.all()
    await handleEvent(context, { lifecycle: 'reauthorizationRequired', subscription: subscription?.id })
    await subscriptions.remove(context, renewed.state)

    const calls = teams.calls()
    const names = new Set(calls.map(({ name }) => name))
    const used = ['teams', 'channels', 'delta', 'messages', 'replies', 'message', 'reply', 'user', 'subscriptions']
    for (const name of [...used, 'subscribe', 'renew', 'reauthorize', 'unsubscribe']) expect([...names]).toContain(name)
    expect(calls.filter(({ status }) => status >= 300).map(({ name }) => name)).toEqual(
      calls.filter(({ name, status }) => name === 'delta' && status === 403).map(({ name }) => name),
    )
    const description = officialDescription('teams.openapi.json')
    if (!description) return skip(NOT_COMPARED)
    // Errors have one form for all calls, which the comparison does not read.
    const [answered, refused] = [
      calls.filter(({ status }) => status < 300),
      calls.filter(({ status }) => status >= 300),
    ]
    expect(judgeCalls(description, answered)).toEqual({ problems: [], omitted: [] })
    expect(refused.flatMap((call) => description.judgeCall(call) ?? [call.template])).toEqual([])
  })
})

/** An address that answers the validation. */
async function openAddress() {
  return await startServer(({ url }, response) => {
    const token = new URL(url, 'http://groundswell').searchParams.get('validationToken')
    response.writeHead(200, { 'content-type': 'text/plain' }).end(token ?? '')
  })
}

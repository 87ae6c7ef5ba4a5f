import { describe, expect, it } from 'vitest'
import { startServer } from '../kit/testing.ts'
import { handleEvent } from './handle-event.ts'
import { pull } from './pull.ts'
import { channelKey } from './selection.ts'
import { drain, linkTo, openTeams, postOf, SCRIPTED_CHANNEL, scripted, scriptedContext, signedIn } from './testing.ts'

async function rolesIn(sandbox: Awaited<ReturnType<typeof openTeams>>, shared: boolean) {
  const key = channelKey(sandbox.tenant.team.id, sandbox.tenant.channel('Shared').id)
  const context = await signedIn(sandbox, { settings: { shared_channels: shared ? [key] : [] } })
  const { items } = await drain(context)
  return Object.fromEntries(items.map(({ author, role }) => [author, role ?? 'customer']))
}

function everyone(sandbox: Awaited<ReturnType<typeof openTeams>>): void {
  sandbox.post({ channel: 'Shared', author: 'Member', text: 'one' })
  sandbox.post({ channel: 'Shared', author: 'Guest', text: 'two', from: 'guest' })
  sandbox.post({ channel: 'Shared', author: 'Other', text: 'three', from: 'other' })
  sandbox.post({ channel: 'Shared', author: 'Robot', text: 'four', from: 'app' })
}

describe('who writes', () => {
  it('is an agent only as a member or an app in a channel that is shared with customers', async () => {
    await using teams = await openTeams()
    everyone(teams)
    const roles = { Member: 'agent', Guest: 'customer', Other: 'customer', Robot: 'agent' }
    expect(await rolesIn(teams, true)).toEqual(roles)
  })

  it('is a customer everywhere else, and nobody is looked up', async () => {
    await using teams = await openTeams()
    everyone(teams)
    const roles = { Member: 'customer', Guest: 'customer', Other: 'customer', Robot: 'customer' }
    expect(await rolesIn(teams, false)).toEqual(roles)
    expect(teams.calls().some(({ name }) => name === 'user')).toBe(false)
  })

  it('is decided by the tenant alone without the permission to read users, which is tried once', async () => {
    await using teams = await openTeams()
    everyone(teams)
    teams.withdraw('User.Read.All')
    expect(await rolesIn(teams, true)).toMatchObject({ Member: 'agent', Guest: 'agent', Other: 'customer' })
    expect(teams.calls().filter(({ name }) => name === 'user')).toHaveLength(1)
  })

  it('is decided by an event as by a sync', async () => {
    await using teams = await openTeams()
    everyone(teams)
    const [team, channel] = [teams.tenant.team.id, teams.tenant.channel('Shared').id]
    const rolesOfEvents = async (shared: string[]) => {
      const context = await signedIn(teams, { settings: { teams: [team], shared_channels: shared } })
      const roles: (string | undefined)[] = []
      for (const { id: root } of teams.tenant.messages) {
        const { items } = await handleEvent(context, { team, channel, root, reply: null, change: 'created' })
        roles.push(...items.map(({ role }) => role))
      }
      return roles
    }
    expect(await rolesOfEvents([channelKey(team, channel)])).toEqual(['agent', 'customer', 'customer', 'agent'])
    expect(await rolesOfEvents([])).toEqual([undefined, undefined, undefined, undefined])
  })

  it('is looked up once', async () => {
    await using teams = await openTeams()
    for (let index = 0; index < 20; index += 1) teams.post({ channel: 'Shared', author: 'Member', text: `n ${index}` })
    await rolesIn(teams, true)
    expect(teams.calls().filter(({ name }) => name === 'user')).toHaveLength(1)
  })
})

it('asks for no person whose id is none', async () => {
  const user = { id: '..', displayName: 'Ann', userIdentityType: 'aadUser' }
  const delta = () => ({ value: [postOf('1', { from: { user } })], '@odata.deltaLink': linkTo('end', 'deltatoken') })
  await using server = await startServer(scripted({ delta }))
  const settings = { shared_channels: [channelKey('t', SCRIPTED_CHANNEL)] }
  const { items } = await drain(scriptedContext(server.url, { settings }))
  expect(items).toMatchObject([{ author: 'Ann', role: 'agent' }])
  expect(server.seen.map(({ url }) => url.split('?')[0])).not.toContainEqual(expect.stringMatching(/users|v1\.0\/$/))
})

it('keeps names of attached files', async () => {
  await using teams = await openTeams()
  const attachments = [{ contentType: 'reference', name: 'screen.png' }]
  teams.post({ channel: 'General', author: 'Ann', text: 'See', attachments })
  expect((await drain(await signedIn(teams))).items).toMatchObject([{ attachments: ['screen.png'] }])
})

it('counts messages that consist of attachments only, posts and replies', async () => {
  await using teams = await openTeams()
  const attachments = [{ contentType: 'reference', name: 'screen.png' }]
  const post = { channel: 'General', author: 'Ann', attachments }
  teams.post({ ...post, text: '' })
  const root = teams.post({ ...post, text: 'See' })
  teams.post({ ...post, text: '', root })
  const context = await signedIn(teams)
  const counted: string[] = []
  for await (const { attachmentOnly = [] } of pull(context, null)) counted.push(...attachmentOnly)
  expect(counted.map((id) => id.split(':').length)).toEqual([3, 4])
})

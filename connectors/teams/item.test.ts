import { describe, expect, it } from 'vitest'
import { channelKey } from './selection.ts'
import { drain, openTeams, signedIn } from './testing.ts'

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

  it('is told by the tenant alone without the permission to read users, which is tried once', async () => {
    await using teams = await openTeams()
    everyone(teams)
    teams.withdraw('User.Read.All')
    expect(await rolesIn(teams, true)).toMatchObject({ Member: 'agent', Guest: 'agent', Other: 'customer' })
    expect(teams.calls().filter(({ name }) => name === 'user')).toHaveLength(1)
  })

  it('is looked up once', async () => {
    await using teams = await openTeams()
    for (let index = 0; index < 20; index += 1) teams.post({ channel: 'Shared', author: 'Member', text: `n ${index}` })
    await rolesIn(teams, true)
    expect(teams.calls().filter(({ name }) => name === 'user')).toHaveLength(1)
  })
})

it('keeps names of attached files', async () => {
  await using teams = await openTeams()
  const attachments = [{ contentType: 'reference', name: 'screen.png' }]
  teams.post({ channel: 'General', author: 'Ann', text: 'See', attachments })
  expect((await drain(await signedIn(teams))).items).toMatchObject([{ attachments: ['screen.png'] }])
})

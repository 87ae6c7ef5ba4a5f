import { describe, expect, it } from 'vitest'
import type { SlackSandbox } from '../sandbox/slack/slack.ts'
import { choices } from './choices.ts'
import { handleEvent } from './handle-event.ts'
import { drain, openSlack, signedIn } from './testing.ts'

/** Posts of everyone who can write in a channel, a reply among them. */
function everyone(slack: SlackSandbox, channel = 'partners'): void {
  const root = slack.post({ channel, author: 'Customer', text: 'It is slow', team: 'T0CUSTOMER' })
  slack.post({ channel, author: 'Member', text: 'Since when?', thread: root })
  slack.post({ channel, author: 'Guest', text: 'Since Monday', guest: true })
  slack.post({ channel, author: 'Helpdesk', text: 'New ticket', subtype: 'bot_message', bot: 'B0HELPDESK' })
}

const AGENTS = { Customer: 'customer', Member: 'agent', Guest: 'customer', Helpdesk: 'agent' }
const CUSTOMERS = { Customer: 'customer', Member: 'customer', Guest: 'customer', Helpdesk: 'customer' }

async function rolesIn(slack: SlackSandbox, shared: string[]) {
  const context = await signedIn(slack)
  const { items } = await drain({ ...context, settings: { ...context.settings, shared_channels: shared } })
  return Object.fromEntries(items.map(({ author, role }) => [author, role ?? 'customer']))
}

describe('who writes', () => {
  it('is an agent only as a member or an app in a channel that is shared with customers', async () => {
    await using slack = await openSlack()
    everyone(slack)
    expect(await rolesIn(slack, [slack.workspace.room('partners').id])).toEqual(AGENTS)
  })

  it('is a customer everywhere else', async () => {
    await using slack = await openSlack()
    everyone(slack)
    slack.post({ channel: 'other', author: 'Member', text: 'Hello' })
    expect(await rolesIn(slack, [])).toEqual(CUSTOMERS)
    expect(await rolesIn(slack, [slack.workspace.room('other').id])).toEqual({ ...CUSTOMERS, Member: 'agent' })
  })

  it('is decided by an event as by a sync', async () => {
    await using slack = await openSlack()
    everyone(slack)
    const context = await signedIn(slack)
    const channel = slack.workspace.room('partners').id
    const settings = { ...context.settings, shared_channels: [channel] }
    const person = (name: string) => slack.workspace.people.find((one) => one.name === name)?.id
    const roleOf = async (more: Record<string, unknown>) => {
      const event = { type: 'message', channel, channel_type: 'channel', ts: '1772366400.000100', text: 'x', ...more }
      return (await handleEvent({ ...context, settings }, event)).items[0]?.role
    }
    expect(await roleOf({ user: person('Member'), team: slack.teamId })).toBe('agent')
    expect(await roleOf({ user: person('Member') })).toBe('agent')
    expect(await roleOf({ user: person('Guest'), team: slack.teamId })).toBe('customer')
    expect(await roleOf({ user: 'U0ELSEWHERE', user_team: 'T0CUSTOMER' })).toBe('customer')
    expect(await roleOf({ bot_id: 'B0HELPDESK', username: 'Helpdesk' })).toBe('agent')
    // Nobody knows this person, and only the workspace of the message tells.
    expect(await roleOf({ user: 'U0GONE', team: slack.teamId })).toBe('agent')
    expect(await roleOf({ user: 'U0GONE' })).toBe('customer')
    expect(await roleOf({ user: person('Member'), channel: 'C0OTHER' })).toBeUndefined()
  })
})

describe('the choice of shared channels', () => {
  it('is among the channels that are read', async () => {
    await using slack = await openSlack()
    for (const channel of ['one', 'two', 'three']) slack.post({ channel, author: 'Ann', text: 'x' })
    Object.assign(slack.workspace.room('three'), { isMember: false })
    const context = await signedIn(slack)
    const offered = async (settings: Record<string, unknown>) => {
      const [, shared] = await choices({ ...context, settings: { ...context.settings, ...settings } })
      expect(shared).toMatchObject({ label: 'Shared with customers', dependsOn: ['channels'] })
      return shared?.options.map(({ label }) => label)
    }
    expect(await offered({})).toEqual(['#one', '#two'])
    expect(await offered({ channels: [slack.workspace.room('two').id] })).toEqual(['#two'])
  })
})

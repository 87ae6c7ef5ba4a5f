import { deltaMessages, failed, type Listed, listMessages, notFound, ok, type Reply } from './lists.ts'
import type { Subscribers } from './subscribers.ts'
import { TEAM_ID, TENANT_ID } from './tenant.ts'
import { channelView, type Json, messageView } from './views.ts'

type Call = Listed & { ids: string[]; json: Json; subscribers: Subscribers; refusesDelta: boolean }
type Endpoint = {
  name: string
  method: string
  /** As in the official description. */
  template: string
  path: RegExp
  permission: string | null
  answer: (call: Call) => Reply | Promise<Reply>
}

const MESSAGES = 'ChannelMessage.Read.All'
const CHANNEL = '/teams/{team-id}/channels/{channel-id}'
const POST = `${CHANNEL}/messages/{chatMessage-id}`

const on = (
  name: string,
  method: string,
  template: string,
  permission: string | null,
  answer: Endpoint['answer'],
): Endpoint => ({
  name,
  method,
  template,
  permission,
  path: new RegExp(`^${template.replace(/\{[\w-]+\}/g, '([^/]+)')}$`),
  answer,
})

const inChannel = (call: Call, answer: (channel: string) => Reply): Reply => {
  const [team, channel = ''] = call.ids
  return team === TEAM_ID && call.tenant.channels.some(({ id }) => id === channel) ? answer(channel) : notFound()
}

/** A message by its id, a post or a reply to `root`. */
function showMessage(call: Call, id: string | undefined, root: string | null): Reply {
  return inChannel(call, (channel) => {
    const found = call.tenant.messages.find((one) => one.id === id && one.channel === channel && one.root === root)
    return found ? ok(messageView(found)) : notFound()
  })
}

/** In the order in which they are matched. */
const all: readonly Endpoint[] = [
  on('teams', 'GET', '/teams', 'Team.ReadBasic.All', ({ tenant }) =>
    ok({ value: [{ id: tenant.team.id, displayName: tenant.team.name }] }),
  ),
  on('channels', 'GET', '/teams/{team-id}/channels', 'Channel.ReadBasic.All', ({ tenant, ids }) =>
    ids[0] === TEAM_ID ? ok({ value: tenant.channels.map(channelView) }) : notFound(),
  ),
  on('delta', 'GET', `${CHANNEL}/messages/delta`, MESSAGES, (call) =>
    call.refusesDelta
      ? failed(403, 'Forbidden', 'Application permissions are not supported for this call')
      : inChannel(call, (channel) => deltaMessages(call, channel)),
  ),
  on('messages', 'GET', `${CHANNEL}/messages`, MESSAGES, (call) =>
    inChannel(call, (channel) => listMessages(call, channel, null)),
  ),
  on('replies', 'GET', `${POST}/replies`, MESSAGES, (call) =>
    inChannel(call, (channel) => {
      const root = call.ids[2] ?? ''
      return call.tenant.messages.some(({ id }) => id === root) ? listMessages(call, channel, root) : notFound()
    }),
  ),
  on('message', 'GET', POST, MESSAGES, (call) => showMessage(call, call.ids[2], null)),
  on('reply', 'GET', `${POST}/replies/{chatMessage-id1}`, MESSAGES, (call) =>
    showMessage(call, call.ids[3], call.ids[2] ?? ''),
  ),
  on('user', 'GET', '/users/{user-id}', 'User.Read.All', ({ tenant, ids }) => {
    const person = tenant.people.get(ids[0] ?? '')
    if (!person || person.tenant !== TENANT_ID) return notFound()
    return ok({ id: person.id, displayName: person.name, userType: person.guest ? 'Guest' : 'Member' })
  }),
  on('subscriptions', 'GET', '/subscriptions', null, ({ subscribers }) => subscribers.list()),
  on('subscribe', 'POST', '/subscriptions', MESSAGES, ({ subscribers, json }) => subscribers.create(json)),
  on('renew', 'PATCH', '/subscriptions/{subscription-id}', null, ({ subscribers, ids, json }) =>
    subscribers.renew(ids[0] ?? '', json),
  ),
  on('unsubscribe', 'DELETE', '/subscriptions/{subscription-id}', null, ({ subscribers, ids }) =>
    subscribers.remove(ids[0] ?? ''),
  ),
  on('reauthorize', 'POST', '/subscriptions/{subscription-id}/reauthorize', null, ({ subscribers, ids }) =>
    subscribers.reauthorize(ids[0] ?? ''),
  ),
]

/** The call of a path after `/v1.0`, with the ids in it; null for none. */
export function findEndpoint(method: string, path: string): { endpoint: Endpoint; ids: string[] } | null {
  for (const endpoint of all) {
    const found = endpoint.method === method ? endpoint.path.exec(path) : null
    if (found) return { endpoint, ids: found.slice(1).map((id) => decodeURIComponent(id)) }
  }
  return null
}

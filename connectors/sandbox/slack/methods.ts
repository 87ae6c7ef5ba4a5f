import { BOT, type Bot, type Person, POST_BOT, type Room, type Stored, TEAM, type Workspace } from './workspace.ts'

export type Answer = Record<string, unknown> & { ok: boolean }
/** The input of a method: its values, how many objects a page may have, and the app that calls. */
type Call = { values: URLSearchParams; objects: number | null; bot: Bot }
type Method = (workspace: Workspace, call: Call) => Answer

/** Slack cuts longer texts; the sandbox refuses them, so that tests notice. */
const MAX_TEXT = 40_000

export const refuse = (error: string): Answer => ({ ok: false, error })

/** The methods of Slack's Web API that need a bot token. */
export const methods: Record<string, Method> = {
  'auth.test': (_, { bot }) => ({
    ok: true,
    url: workspaceUrl(),
    team: TEAM.name,
    user: 'groundswell',
    team_id: TEAM.id,
    user_id: bot.user,
    bot_id: bot.bot,
    is_enterprise_install: false,
  }),
  'team.info': () => ({
    ok: true,
    team: { id: TEAM.id, name: TEAM.name, domain: TEAM.domain, email_domain: 'tallybrook.example', icon: {} },
  }),
  'users.list': (workspace, call) => {
    const own = workspace.people.filter(({ id }) => !workspace.isExternal(id))
    const { items, next } = slice(own, call)
    return {
      ok: true,
      members: items.map(userView),
      cache_ts: 1_700_000_000,
      response_metadata: { next_cursor: next },
    }
  },
  'users.info': ({ people, isExternal }, { values }) => {
    const person = people.find(({ id }) => id === values.get('user') && !isExternal(id))
    return person ? { ok: true, user: userView(person) } : refuse('user_not_found')
  },
  'conversations.list': (workspace, call) => {
    const types = (call.values.get('types') ?? 'public_channel').split(',')
    const shown = workspace.rooms.filter((room) =>
      room.isPrivate ? isIn(room, call.bot) && types.includes('private_channel') : types.includes('public_channel'),
    )
    const { items, next } = slice(shown, call)
    return {
      ok: true,
      channels: items.map((room) => roomView(room, call.bot)),
      response_metadata: { next_cursor: next },
    }
  },
  'conversations.info': (workspace, { values, bot }) => {
    const room = workspace.rooms.find(({ id }) => id === values.get('channel'))
    return room ? { ok: true, channel: roomView(room, bot) } : refuse('channel_not_found')
  },
  'conversations.join': (workspace, { values, bot }) => {
    const room = workspace.rooms.find(({ id }) => id === values.get('channel'))
    if (!room || room.isPrivate) return refuse('channel_not_found')
    room.isMember = true
    return { ok: true, channel: roomView(room, bot) }
  },
  'conversations.history': (workspace, call) => {
    const room = workspace.rooms.find(({ id }) => id === call.values.get('channel'))
    if (!room) return refuse('channel_not_found')
    if (!room.isMember) return refuse('not_in_channel')
    const inChannel = ({ root, subtype }: Stored) => root === null || subtype === 'thread_broadcast'
    const shown = within(workspace.messages(room.id).filter(inChannel), call.values).toReversed()
    return messagePage(workspace, shown, [], call)
  },
  'conversations.replies': (workspace, call) => {
    const { values } = call
    const room = workspace.rooms.find(({ id }) => id === values.get('channel'))
    if (!room) return refuse('channel_not_found')
    if (!room.isMember) return refuse('not_in_channel')
    const root = workspace.find(values.get('ts') ?? '')
    if (!root) return refuse('thread_not_found')
    return messagePage(workspace, within([...workspace.replies(room.id, root.ts)], values), [root], call)
  },
  'chat.postMessage': (workspace, { values, bot }) => {
    const room = workspace.rooms.find(({ id }) => id === values.get('channel'))
    if (!room) return refuse('channel_not_found')
    if (!isIn(room, bot)) return refuse('not_in_channel')
    if (room.isArchived) return refuse('is_archived')
    const text = values.get('text') ?? ''
    if (text === '') return refuse('no_text')
    if (text.length > MAX_TEXT) return refuse('msg_too_long')
    const thread = values.get('thread_ts')
    if (thread !== null && !workspace.find(thread)) return refuse('thread_not_found')
    const stored = workspace.add({ channel: room.id, author: 'Groundswell', text, thread, bot: bot.bot })
    return { ok: true, channel: room.id, ts: stored.ts, message: messageView(workspace, stored) }
  },
  'chat.getPermalink': (workspace, { values }) => {
    const message = workspace.find(values.get('message_ts') ?? '')
    if (!message) return refuse('message_not_found')
    const path = `${workspaceUrl()}archives/${message.channel}/p${message.ts.replace('.', '')}`
    const thread = message.root === null ? '' : `?thread_ts=${message.root}&cid=${message.channel}`
    return { ok: true, channel: message.channel, permalink: `${path}${thread}` }
  },
}

/** The scope that a method needs, for those that not every app here has. */
export const SCOPES: Readonly<Record<string, string>> = {
  'chat.postMessage': 'chat:write',
  'conversations.history': 'channels:history',
  'conversations.replies': 'channels:history',
}

const isIn = ({ isMember, hasPoster }: Room, bot: Bot) => (bot.app === POST_BOT.app ? hasPoster === true : isMember)

const workspaceUrl = () => `https://${TEAM.domain}.slack.com/`

/** Slack's `oldest` and `latest` exclude their own moment unless `inclusive` is set. */
function within(messages: Stored[], values: URLSearchParams): Stored[] {
  const oldest = values.get('oldest') ?? ''
  const latest = values.get('latest') ?? '9'
  const inclusive = /^(1|true)$/.test(values.get('inclusive') ?? '')
  return messages.filter(({ ts }) => (ts > oldest && ts < latest) || (inclusive && (ts === oldest || ts === latest)))
}

/** One page. `first` is on every page and counts as one of its objects, like the root of a thread. */
function messagePage(workspace: Workspace, messages: Stored[], first: Stored[], call: Call): Answer {
  const size = Math.max(1, sizeOf(call) - first.length)
  const after = Buffer.from(call.values.get('cursor') ?? '', 'base64').toString()
  if (after !== '' && !after.startsWith('after:')) return refuse('invalid_cursor')
  const ts = after.slice(6).replace(/~+$/, '')
  const from = ts === '' ? 0 : startAfter(messages, ts, first.length > 0)
  const items = messages.slice(from, from + size)
  const more = from + size < messages.length
  const next = more ? Buffer.from(`after:${items.at(-1)?.ts ?? ''}`).toString('base64') : ''
  return {
    ok: true,
    messages: [...first, ...items].map((message) => messageView(workspace, message)),
    has_more: more,
    ...(more ? { response_metadata: { next_cursor: next } } : {}),
  }
}

/** A position in time, so that changes meanwhile do not shift the pages. */
function startAfter(messages: Stored[], ts: string, rising: boolean): number {
  const index = messages.findIndex((message) => (rising ? message.ts > ts : message.ts < ts))
  return index < 0 ? messages.length : index
}

function slice<T>(all: readonly T[], call: Call): { items: T[]; next: string } {
  const size = sizeOf({ ...call, objects: null })
  const from = Number(Buffer.from(call.values.get('cursor') ?? '', 'base64').toString()) || 0
  const next = from + size < all.length ? Buffer.from(String(from + size)).toString('base64') : ''
  return { items: all.slice(from, from + size), next }
}

/** Slack's maximum is 999, its default 100. It clamps silently. */
function sizeOf({ values, objects }: Call): number {
  const asked = Number(values.get('limit')) || 100
  return Math.min(asked, 999, objects ?? 999)
}

const userView = ({ id, name, company, guest = false }: Person) => ({
  id,
  team_id: TEAM.id,
  name: name.toLowerCase().replace(/[^a-z0-9]+/g, '.'),
  real_name: name,
  deleted: false,
  is_bot: false,
  is_restricted: guest,
  is_ultra_restricted: false,
  updated: 1_700_000_000,
  is_app_user: false,
  profile: { display_name: name, real_name: name, title: company, avatar_hash: '0', ...names(name) },
})
const names = (name: string) => ({ real_name_normalized: name, display_name_normalized: name })

const roomView = ({ id, name, isPrivate, created, ...room }: Room, bot: Bot) => ({
  id,
  name,
  name_normalized: name,
  created,
  creator: BOT.user,
  is_channel: true,
  is_private: isPrivate,
  is_member: isIn({ id, name, isPrivate, created, ...room }, bot),
  is_archived: false,
  is_general: false,
  is_group: false,
  is_im: false,
  is_mpim: false,
  is_shared: false,
  is_org_shared: false,
  is_ext_shared: false,
  unlinked: 0,
  topic: { value: '', creator: '', last_set: 0 },
  purpose: { value: '', creator: '', last_set: 0 },
})

/** A message as history and events show it. */
export function messageView(workspace: Workspace, message: Stored): Record<string, unknown> {
  const { ts, channel, user, text, root, subtype, bot, edited, gone, blocks, attachments, team } = message
  const replies = workspace.replies(channel, ts)
  const thread = root ?? (replies.length > 0 ? ts : null)
  const base = gone
    ? { type: 'message', subtype: 'tombstone', user: 'USLACKBOT', text: 'This message was deleted.', hidden: true, ts }
    : {
        type: 'message',
        user: [BOT, POST_BOT].find((own) => own.bot === bot)?.user ?? user,
        text,
        ts,
        team: team ?? TEAM.id,
      }
  return {
    ...base,
    ...(subtype && !gone ? { subtype } : {}),
    ...(bot ? { bot_id: bot } : {}),
    ...(blocks && !gone ? { blocks } : {}),
    ...(attachments && !gone ? { attachments: attachments.map((part, index) => ({ id: index + 1, ...part })) } : {}),
    ...(team && !gone ? { user_team: team, user_profile: profileView(workspace, user, team) } : {}),
    ...(edited ? { edited: { user, ts: edited } } : {}),
    ...(thread ? { thread_ts: thread } : {}),
    ...(replies.length > 0 ? parentView(replies) : {}),
  }
}

/** The short profile that comes with the messages of people from other workspaces. */
function profileView({ people }: Workspace, user: string, team: string): Record<string, unknown> {
  const name = people.find(({ id }) => id === user)?.name ?? ''
  return {
    avatar_hash: '0',
    display_name: name,
    first_name: name.split(' ')[0] ?? '',
    image_72: 'https://avatars.example/72.png',
    is_restricted: false,
    is_ultra_restricted: false,
    name: name.toLowerCase().replace(/[^a-z0-9]+/g, '.'),
    real_name: name,
    team,
  }
}

function parentView(replies: readonly Stored[]): Record<string, unknown> {
  const users = [...new Set(replies.map(({ user }) => user))]
  return {
    reply_count: replies.length,
    reply_users_count: users.length,
    reply_users: users.slice(0, 5),
    latest_reply: replies.at(-1)?.ts,
    is_locked: false,
    subscribed: false,
  }
}

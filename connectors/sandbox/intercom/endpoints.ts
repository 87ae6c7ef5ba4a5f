import { ok, type Reply, refuse } from './reply.ts'
import { searchPage } from './search.ts'
import type { SignIns } from './sign-in.ts'
import { conversationView, type Json, meView, tagView, teamView } from './views.ts'
import type { Workspace } from './workspace.ts'

/** `id`: the number in the path. */
type Call = {
  workspace: Workspace
  signIns: SignIns
  id: string
  json: unknown
  region: string
  inclusive: boolean
}
type Endpoint = {
  name: string
  method: string
  path: RegExp
  /** As in the official description. */
  template: string
  /** Without a token. */
  open: boolean
  /** The permission of the app that it needs, as Intercom names it; null for none. */
  permission: string | null
  answer: (call: Call) => Reply
}

const on = (
  name: string,
  method: string,
  template: string,
  answer: Endpoint['answer'],
  { open = false, permission = null }: { open?: boolean; permission?: string | null } = {},
): Endpoint => ({
  name,
  method,
  template,
  path: new RegExp(`^${template.replace(/\{\w+\}/, '([\\w-]+)')}$`),
  open,
  permission,
  answer,
})

const CONVERSATIONS = { permission: 'Read conversations' }

const endpoints: readonly Endpoint[] = [
  on('grant', 'POST', '/auth/eagle/token', ({ signIns, json }) => signIns.grant((json ?? {}) as Json), { open: true }),
  on('uninstall', 'POST', '/auth/uninstall', ({ signIns }) => signIns.uninstall()),
  on('me', 'GET', '/me', ({ region }) => ok(meView(region))),
  on('teams', 'GET', '/teams', ({ workspace }) => ok({ type: 'team.list', teams: workspace.teams.map(teamView) }), {
    permission: 'Read admins',
  }),
  on('tags', 'GET', '/tags', ({ workspace }) => ok({ type: 'list', data: workspace.tags.map(tagView) }), {
    permission: 'Read tags',
  }),
  on(
    'search',
    'POST',
    '/conversations/search',
    ({ workspace, json, inclusive }) => {
      const page = searchPage(workspace.conversations.values(), json ?? {}, inclusive)
      return page === null ? refuse(400, 'parameter_invalid') : ok(page)
    },
    CONVERSATIONS,
  ),
  on(
    'conversation',
    'GET',
    '/conversations/{conversation_id}',
    ({ workspace, id }) => {
      const conversation = workspace.conversations.get(id)
      return conversation ? ok(conversationView(conversation)) : refuse(404, 'not_found', 'Resource Not Found')
    },
    CONVERSATIONS,
  ),
]

/** The call of a path, with the part of it that differs; null for none. */
export function findEndpoint(method: string, path: string): { endpoint: Endpoint; id: string } | null {
  for (const endpoint of endpoints) {
    const found = endpoint.method === method ? endpoint.path.exec(path) : null
    if (found) return { endpoint, id: found[1] ?? '' }
  }
  return null
}

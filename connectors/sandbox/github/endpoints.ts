import { issueEndpoints } from './issue-endpoints.ts'
import { type Call, type Endpoint, inRepository, notFound, paged, type Reply, refuse } from './reply.ts'
import { type Installation, installationView } from './sign-in.ts'
import { fullName, labelView, permissionsView, personView, profileView, repositoryView } from './views.ts'

const REPOSITORY = '/repos/{owner}/{repo}'

function mint({ params, signIns, json }: Call): Reply {
  const installation = signIns.installations.find(({ id }) => String(id) === params.installation_id)
  if (!installation) return notFound()
  if (installation.suspended) return refuse(403, 'This installation has been suspended')
  const { permissions = {} } = (json ?? {}) as { permissions?: Record<string, string> }
  if (permissions.issues === 'write' && installation.issues !== 'write') {
    const docs = 'https://docs.github.com/rest'
    const message = 'The permissions requested are not granted to this installation.'
    return { status: 422, body: { message, documentation_url: docs } }
  }
  const { token, expiresAt } = signIns.mint(installation)
  const expires_at = `${new Date(expiresAt).toISOString().slice(0, 19)}Z`
  return { status: 201, body: { token, expires_at, permissions, repository_selection: 'all' } }
}

function listInstallations(call: Call): Reply {
  const { signIns, caller, base } = call
  const login = caller.is === 'user-token' ? caller.login : ''
  const mine = signIns.installations.filter(({ people }) => people.includes(login))
  const view = (one: Installation) => installationView(base, signIns, one)
  const page = paged(call, '/user/installations', mine, view)
  return { ...page, body: { total_count: mine.length, installations: page.body } }
}

function listRepositories(call: Call): Reply {
  const visible = call.hub.repositories.filter(({ hidden }) => !hidden)
  const all = visible.toSorted((a, b) => fullName(a).localeCompare(fullName(b)))
  if (call.caller.is === 'person') return paged(call, '/user/repos', all, (one) => repositoryView(call.base, one))
  const { caller } = call
  if (caller.is === 'installation' && caller.installation.suspended) {
    return refuse(403, 'This installation has been suspended')
  }
  const page = paged(call, '/installation/repositories', all, (one) => repositoryView(call.base, one))
  return { ...page, body: { total_count: all.length, repositories: page.body } }
}

const all: readonly Endpoint[] = [
  ...issueEndpoints,
  {
    method: 'GET',
    template: '/user',
    callers: ['person'],
    answer: ({ hub, base, signIns }) => ({ status: 200, body: profileView(base, hub.person(signIns.login)) }),
  },
  { method: 'GET', template: '/user/repos', callers: ['person'], answer: listRepositories },
  { method: 'GET', template: '/user/installations', callers: ['user-token'], answer: listInstallations },
  { method: 'GET', template: '/installation/repositories', callers: ['installation'], answer: listRepositories },
  {
    method: 'DELETE',
    template: '/installation/token',
    callers: ['installation'],
    answer({ signIns, caller }) {
      if (caller.is === 'installation') signIns.revoke(caller.token)
      return { status: 204, body: null }
    },
  },
  { method: 'POST', template: '/app/installations/{installation_id}/access_tokens', callers: ['app'], answer: mint },
  {
    method: 'GET',
    template: REPOSITORY,
    callers: ['person', 'installation'],
    answer: inRepository(({ base, caller }, one) => ({
      status: 200,
      body: { ...repositoryView(base, one), permissions: permissionsView(one, caller.is === 'person') },
    })),
  },
  {
    method: 'GET',
    template: `${REPOSITORY}/labels`,
    callers: ['person', 'installation'],
    answer: inRepository((call, one) =>
      paged(call, `/repos/${fullName(one)}/labels`, one.labels, (label) => labelView(call.base, one, label)),
    ),
  },
  {
    method: 'GET',
    template: `${REPOSITORY}/assignees`,
    callers: ['person', 'installation'],
    answer: inRepository((call, one) =>
      paged(call, `/repos/${fullName(one)}/assignees`, one.assignees, (login) =>
        personView(call.base, call.hub.person(login)),
      ),
    ),
  },
]

const compiled = all.map((endpoint) => ({
  endpoint,
  path: new RegExp(`^${endpoint.template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}))

/** The endpoint of a path with its parameters; null for none. */
export function findEndpoint(
  method: string,
  path: string,
): { endpoint: Endpoint; params: Readonly<Record<string, string>> } | null {
  for (const { endpoint, path: pattern } of compiled) {
    const found = endpoint.method === method ? pattern.exec(path) : null
    if (found) return { endpoint, params: { ...found.groups } }
  }
  return null
}

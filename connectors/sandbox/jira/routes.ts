import {
  bulkFetch,
  createIssue,
  editIssue,
  listComments,
  listTransitions,
  readIssue,
  search,
  transition,
  writeComment,
} from './issues.ts'
import { assignable, fields, issueTypes, myself, permissions, searchProjects } from './pickers.ts'
import type { Json, Reply, Site } from './site.ts'
import type { Webhooks } from './webhooks.ts'

type Query = Readonly<Record<string, string>>
type Asked = { site: Site; params: readonly string[]; query: Query; body: Json; webhooks: Webhooks }
type Scope = 'read:jira-work' | 'write:jira-work' | 'read:jira-user' | 'manage:jira-webhook'
type Route = { method: string; template: string; scope: Scope; answer: (asked: Asked) => Reply }

const BASE = '/rest/api/3'
const route = (method: string, path: string, scope: Scope, answer: Route['answer']): Route => ({
  method,
  template: `${BASE}${path}`,
  scope,
  answer,
})
const [READ, WRITE, USER, HOOK] = [
  'read:jira-work',
  'write:jira-work',
  'read:jira-user',
  'manage:jira-webhook',
] as const satisfies readonly Scope[]
const ISSUE = '/issue/{issueIdOrKey}'

/** Every operation of the stand-in, by the template of its path in Jira's description. The first that fits answers. */
const ROUTES: readonly Route[] = [
  route('GET', '/myself', USER, ({ site }) => myself(site)),
  route('GET', '/mypermissions', READ, ({ site, query }) => permissions(site, query)),
  route('GET', '/project/search', READ, ({ site, query }) => searchProjects(site, query)),
  route('GET', '/user/assignable/search', USER, ({ site, query }) => assignable(site, query)),
  route('GET', '/issue/createmeta/{projectIdOrKey}/issuetypes', READ, ({ site, params: [project = ''], query }) =>
    issueTypes(site, project, query),
  ),
  route(
    'GET',
    '/issue/createmeta/{projectIdOrKey}/issuetypes/{issueTypeId}',
    READ,
    ({ site, params: [project = '', type = ''], query }) => fields(site, project, type, query),
  ),
  route('POST', '/issue', WRITE, ({ site, body }) => createIssue(site, body)),
  route('POST', '/issue/bulkfetch', READ, ({ site, body }) => bulkFetch(site, body)),
  route('POST', '/search/jql', READ, ({ site, body }) => search(site, body)),
  route('GET', ISSUE, READ, ({ site, params: [id = ''], query }) => readIssue(site, id, query)),
  route('PUT', ISSUE, WRITE, ({ site, params: [id = ''], body }) => editIssue(site, id, body)),
  route('GET', `${ISSUE}/comment`, READ, ({ site, params: [id = ''] }) => listComments(site, id)),
  route('POST', `${ISSUE}/comment`, WRITE, ({ site, params: [id = ''], body }) => writeComment(site, id, null, body)),
  route('PUT', `${ISSUE}/comment/{id}`, WRITE, ({ site, params: [id = '', comment = ''], body }) =>
    writeComment(site, id, comment, body),
  ),
  route('GET', `${ISSUE}/transitions`, READ, ({ site, params: [id = ''], query }) => listTransitions(site, id, query)),
  route('POST', `${ISSUE}/transitions`, WRITE, ({ site, params: [id = ''], body }) => transition(site, id, body)),
  route('GET', '/webhook', HOOK, ({ site, webhooks }) => webhooks.list(site)),
  route('POST', '/webhook', HOOK, ({ site, body, webhooks }) => webhooks.register(site, body)),
  route('DELETE', '/webhook', HOOK, ({ body, webhooks }) => webhooks.remove(body)),
  route('PUT', '/webhook/refresh', HOOK, ({ body, webhooks }) => webhooks.refresh(body)),
]

/** The operation of a request, with the parts of its path; null where there is none. */
export function routeOf(method: string, path: string): { route: Route; params: string[] } | null {
  for (const one of ROUTES) {
    if (one.method !== method) continue
    const pattern = new RegExp(`^${one.template.replace(/\{[A-Za-z]+\}/g, '([^/]+)')}$`)
    const found = pattern.exec(path)
    if (found) return { route: one, params: found.slice(1).map(decodeURIComponent) }
  }
  return null
}

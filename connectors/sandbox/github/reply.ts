import type { Hub, Issue, Repository } from './hub.ts'
import type { Caller, SignIns } from './sign-in.ts'

/** A response; `body` null: none. */
export type Reply = { status: number; body: unknown; headers?: Record<string, string> }
export type Call = {
  base: string
  hub: Hub
  signIns: SignIns
  caller: Caller
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  json: unknown
}
export type Endpoint = {
  method: string
  /** As in GitHub's description. */
  template: string
  callers: readonly Caller['is'][]
  answer: (call: Call) => Reply
}

export const ISSUES_OFF = 'Issues are disabled for this repo'
const DOCS = 'https://docs.github.com/rest'

export const refuse = (status: number, message: string, headers: Record<string, string> = {}): Reply => ({
  status,
  body: { message, documentation_url: DOCS, status: String(status) },
  headers,
})
export const notFound = () => refuse(404, 'Not Found')

export function invalid(resource: string, field: string, code: string): Reply {
  return {
    status: 422,
    body: { message: 'Validation Failed', documentation_url: DOCS, errors: [{ resource, field, code }] },
  }
}

/** A page of a list, with a `Link` to the next one. */
export function paged<T>({ base, query }: Call, path: string, all: readonly T[], view: (one: T) => unknown): Reply {
  const size = Math.min(Number(query.get('per_page') ?? '30'), 100)
  const page = Number(query.get('page') ?? '1')
  const body = all.slice((page - 1) * size, page * size).map(view)
  const next = new URLSearchParams([...query].filter(([name]) => name !== 'page'))
  next.set('page', String(page + 1))
  const headers: Record<string, string> =
    page * size < all.length ? { link: `<${base}${path}?${next.toString()}>; rel="next"` } : {}
  return { status: 200, body, headers }
}

/** The rights of a sign-in for the issues of a repository. */
function rightsOf(caller: Caller): 'read' | 'write' | null {
  if (caller.is === 'person') return caller.issues
  return caller.is === 'installation' ? caller.installation.issues : null
}

/** The repository that a path names; GitHub hides it from those who may not read it. */
export function inRepository(work: (call: Call, repository: Repository) => Reply): Endpoint['answer'] {
  return (call) => {
    const { caller, params, hub } = call
    if (caller.is === 'installation' && caller.installation.suspended) {
      return refuse(403, 'This installation has been suspended')
    }
    const repository = hub.find(`${params.owner}/${params.repo}`)
    return repository && !repository.hidden ? work(call, repository) : notFound()
  }
}

/** Writing: refused without the permission, in an archived repository, and where issues are switched off. */
export function writing(work: (call: Call, repository: Repository) => Reply): Endpoint['answer'] {
  return inRepository((call, repository) => {
    if (rightsOf(call.caller) !== 'write') {
      if (call.caller.is === 'person' && call.signIns.isClassic) return notFound()
      const by = call.caller.is === 'person' ? 'personal access token' : 'integration'
      return refuse(403, `Resource not accessible by ${by}`, { 'x-accepted-github-permissions': 'issues=write' })
    }
    if (repository.archived) return refuse(403, 'Repository was archived so is read-only.')
    return repository.hasIssues ? work(call, repository) : refuse(410, ISSUES_OFF)
  })
}

/** The issue that a path names: 410 where it was deleted, 301 to its new address where it was transferred to a visible repository. */
export function onIssue({ params, base }: Call, repository: Repository, work: (issue: Issue) => Reply): Reply {
  if (!repository.hasIssues) return refuse(410, ISSUES_OFF)
  const number = Number(params.issue_number)
  const issue = repository.issues.find((one) => one.number === number)
  if (issue) return work(issue)
  const left = repository.left.get(number)
  if (left === null) return refuse(410, 'This issue was deleted')
  if (!left || left.repository.hidden) return notFound()
  const location = `${base}/repositories/${left.repository.id}/issues/${left.number}`
  return {
    ...refuse(301, 'Moved Permanently', { location }),
    body: { message: 'Moved Permanently', url: location, documentation_url: DOCS },
  }
}

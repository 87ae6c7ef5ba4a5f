import * as z from 'zod/mini'
import type { Issue, Repository } from './hub.ts'
import {
  type Call,
  type Endpoint,
  ISSUES_OFF,
  inRepository,
  invalid,
  notFound,
  onIssue,
  paged,
  type Reply,
  refuse,
  writing,
} from './reply.ts'
import { commentView, fullName, issueView } from './views.ts'

const MAX_BODY = 65_536
const MAX_TITLE = 256

const New = z.object({
  title: z.string(),
  body: z._default(z.string(), ''),
  labels: z._default(z.array(z.string()), []),
  assignees: z._default(z.array(z.string()), []),
})
const Changes = z.object({
  title: z.optional(z.string().check(z.minLength(1), z.maxLength(MAX_TITLE))),
  body: z.optional(z.string()),
  state: z.optional(z.enum(['open', 'closed'])),
})
const Text = z.object({ body: z.string().check(z.minLength(1)) })

const ISSUES = '/repos/{owner}/{repo}/issues'
const BOTH = ['person', 'installation'] as const
const loginOf = ({ caller, signIns }: Call) => ('login' in caller ? caller.login : signIns.login)

const shown = ({ base, hub }: Call, repository: Repository, issue: Issue, status = 200): Reply => ({
  status,
  body: issueView(base, repository, issue, hub.people),
})

const create = writing((call, repository) => {
  const parsed = New.safeParse(call.json)
  if (!parsed.success) return invalid('Issue', 'title', 'missing_field')
  const { title, body, labels, assignees } = parsed.data
  if (title === '' || title.length > MAX_TITLE) return invalid('Issue', 'title', 'custom')
  if (body.length > MAX_BODY) return invalid('Issue', 'body', 'custom')
  if (assignees.some((login) => !repository.assignees.includes(login))) return invalid('Issue', 'assignees', 'invalid')
  const creator = call.hub.person(loginOf(call))
  const isReader = call.caller.is === 'person' && repository.role === 'read'
  const given = { title, body, ...(isReader ? {} : { labels, assignees }) }
  return shown(call, repository, call.hub.open(repository, creator, given), 201)
})

const list = inRepository((call, repository) => {
  const { query, base, hub } = call
  if (!repository.hasIssues) return refuse(410, ISSUES_OFF)
  const creator = query.get('creator')
  if (creator !== null && !hub.people.has(creator)) return invalid('Issue', 'creator', 'invalid')
  const state = query.get('state') ?? 'open'
  const label = query.get('labels')
  const since = query.get('since')
  const all = repository.issues
    .filter((issue) => issue.listed)
    .filter((issue) => creator === null || issue.creator.login === creator)
    .filter((issue) => state === 'all' || issue.state === state)
    .filter((issue) => label === null || issue.labels.includes(label))
    .filter((issue) => since === null || issue.updatedAt >= Date.parse(since))
    .toSorted((a, b) => b.createdAt - a.createdAt || b.number - a.number)
  const page = query.get('direction') === 'asc' ? all.toReversed() : all
  return paged(call, `/repos/${fullName(repository)}/issues`, page, (issue) =>
    issueView(base, repository, issue, hub.people),
  )
})

const change = writing((call, repository) =>
  onIssue(call, repository, (issue) => {
    const changes = Changes.safeParse(call.json)
    if (!changes.success) return invalid('Issue', 'state', 'invalid')
    const { title, body, state } = changes.data
    if ((body?.length ?? 0) > MAX_BODY) return invalid('Issue', 'body', 'custom')
    if (title !== undefined) issue.title = title
    if (body !== undefined) issue.body = body
    if (state !== undefined && state !== issue.state) {
      Object.assign(issue, { state, reason: state === 'open' ? 'reopened' : 'completed' })
    }
    issue.updatedAt = call.hub.now()
    return shown(call, repository, issue)
  }),
)

const addComment = writing((call, repository) =>
  onIssue(call, repository, (issue) => {
    const text = Text.safeParse(call.json)
    if (!text.success) return invalid('IssueComment', 'body', 'missing_field')
    if (issue.locked) return { status: 403, body: { message: 'Unable to create comment because issue is locked.' } }
    const comment = call.hub.comment(issue, call.hub.person(loginOf(call)), text.data.body)
    return { status: 201, body: commentView(call.base, repository, issue, comment) }
  }),
)

const changeComment = writing((call, repository) => {
  const text = Text.safeParse(call.json)
  if (!text.success) return invalid('IssueComment', 'body', 'missing_field')
  for (const issue of repository.issues) {
    const comment = issue.comments.find(({ id }) => String(id) === call.params.comment_id)
    if (!comment) continue
    comment.body = text.data.body
    return { status: 200, body: commentView(call.base, repository, issue, comment) }
  }
  return notFound()
})

const listComments = inRepository((call, repository) =>
  onIssue(call, repository, (issue) =>
    paged(call, `/repos/${fullName(repository)}/issues/${issue.number}/comments`, issue.comments, (comment) =>
      commentView(call.base, repository, issue, comment),
    ),
  ),
)

const on = (method: string, template: string, answer: Endpoint['answer']): Endpoint => ({
  method,
  template,
  callers: BOTH,
  answer,
})

export const issueEndpoints: readonly Endpoint[] = [
  on('POST', ISSUES, create),
  on('GET', ISSUES, list),
  on('PATCH', `${ISSUES}/comments/{comment_id}`, changeComment),
  on(
    'GET',
    `${ISSUES}/{issue_number}`,
    inRepository((call, repository) => onIssue(call, repository, (issue) => shown(call, repository, issue))),
  ),
  on('PATCH', `${ISSUES}/{issue_number}`, change),
  on('POST', `${ISSUES}/{issue_number}/comments`, addComment),
  on('GET', `${ISSUES}/{issue_number}/comments`, listComments),
]

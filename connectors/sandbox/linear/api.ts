import { randomUUID } from 'node:crypto'
import { LinearError } from './execute.ts'
import { connection } from './filter.ts'
import type { WebhookInput, Webhooks } from './webhooks.ts'
import type { Issue, Team, Workspace } from './workspace.ts'

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const MAX_TITLE = 255

type Fields = Record<string, unknown>
type Page = { first?: number; after?: string | null; filter?: unknown; includeArchived?: boolean }
export type Caller = { scopes: readonly string[]; admin: boolean }

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
const notFound = (entity: string) =>
  new LinearError('INPUT_ERROR', `Entity not found: ${entity}`, `Could not find referenced ${entity}.`)
const refused = (message: string) => new LinearError('INPUT_ERROR', message)

/** The fields of Linear's `Query` and `Mutation` that the connector uses, for one caller. */
export function apiFor({ workspace, webhooks }: { workspace: Workspace; webhooks: Webhooks }, caller: Caller) {
  const demand = (...scopes: string[]) => {
    if (scopes.some((scope) => caller.scopes.includes(scope))) return
    throw new LinearError('FORBIDDEN', `Invalid scope: \`${scopes[0]}\` required`)
  }
  const issueOf = (id: string): Issue => {
    const issue = workspace.issue(id)
    if (!issue?.visible) throw notFound('Issue')
    return issue
  }
  const teamOf = (id: unknown): Team => {
    const team = workspace.teams.find((one) => one.id === id)
    if (!team) throw notFound('Team')
    return team
  }
  const takeId = (id: unknown, taken: boolean): string => {
    if (id === undefined || id === null) return randomUUID()
    if (typeof id !== 'string' || !UUID_V4.test(id)) throw refused('id must be a UUID')
    if (taken) throw refused('conflict on insert: an entity with this id already exists')
    return id
  }
  const stateIn = (team: Team, id: unknown) => {
    const state = team.all.states.find((one) => one.id === id)
    if (!state) throw notFound('WorkflowState')
    return state
  }
  const changed = (issue: Issue, action: string, updatedFrom?: Fields) => webhooks.send(issue, action, updatedFrom)

  return {
    viewer: workspace.viewer,
    organization: workspace.organization,
    issuePriorityValues: ['No priority', 'Urgent', 'High', 'Medium', 'Low'].map((label, priority) => ({
      priority,
      label,
    })),
    teams: (page: Page) => connection(workspace.teams, page),
    team: ({ id }: { id: string }) => teamOf(id),
    issueLabels: (page: Page) => connection(workspace.labels, page),
    issue: ({ id }: { id: string }) => issueOf(id),
    issues: ({ includeArchived = false, ...page }: Page) =>
      connection(
        workspace.issues.filter(
          ({ visible, listed, archivedAt }) => visible && listed && (includeArchived || archivedAt === null),
        ),
        page,
      ),

    issueCreate({ input }: { input: Fields }) {
      demand('issues:create', 'write')
      const team = teamOf(input['teamId'])
      const id = takeId(input['id'], workspace.issue(String(input['id'])) !== undefined)
      const title = textOf(input['title'])
      if (title === '' || title.length > MAX_TITLE)
        throw refused('title must be shorter than or equal to 255 characters')
      const labelIds = (input['labelIds'] as string[] | undefined) ?? []
      if (labelIds.some((label) => !workspace.labels.some((one) => one.id === label))) throw notFound('IssueLabel')
      const groups = workspace.labels.flatMap(({ id: label, parent }) =>
        parent && labelIds.includes(label) ? [parent.id] : [],
      )
      if (new Set(groups).size < groups.length) throw refused('labelIds not exclusive child labels')
      const project = team.all.projects.find((one) => one.id === input['projectId'])
      if (input['projectId'] && !project) throw notFound('Project')
      const assignee = team.all.members.find((one) => one.id === input['assigneeId'])
      if (input['assigneeId'] && !assignee) throw notFound('User')
      const identifier = `${team.key}-${workspace.issues.length + 1}`
      const issue: Issue = {
        id,
        identifier,
        url: `https://linear.app/fernweh/issue/${identifier}`,
        title,
        description: textOf(input['description']),
        team,
        state: input['stateId'] ? stateIn(team, input['stateId']) : team.state('backlog'),
        labelIds,
        projectId: project?.id ?? null,
        assigneeId: assignee?.id ?? null,
        priority: Number(input['priority'] ?? 0),
        archivedAt: null,
        trashed: null,
        comments: [],
        attachments: [],
        requests: [],
        listed: !workspace.lagging,
        visible: true,
      }
      workspace.issues.push(issue)
      changed(issue, 'create')
      return { issue, success: true, lastSyncId: 1 }
    },

    issueUpdate({ id, input }: { id: string; input: Fields }) {
      demand('write')
      const issue = issueOf(id)
      const from: Fields = {}
      if (typeof input['description'] === 'string') {
        from['description'] = issue.description
        issue.description = input['description']
      }
      if (typeof input['title'] === 'string') {
        from['title'] = issue.title
        issue.title = input['title']
      }
      if (input['stateId'] !== undefined) {
        from['stateId'] = issue.state.id
        issue.state = stateIn(issue.team, input['stateId'])
      }
      changed(issue, 'update', from)
      return { issue, success: true, lastSyncId: 1 }
    },

    issueUnarchive({ id }: { id: string }) {
      demand('write')
      const issue = issueOf(id)
      Object.assign(issue, { archivedAt: null, trashed: null })
      return { success: true, lastSyncId: 1 }
    },

    attachmentCreate({ input }: { input: Fields }) {
      demand('issues:create', 'write')
      const { attachments } = issueOf(String(input['issueId']))
      const known = attachments.find(({ url }) => url === input['url'])
      if (known) known.title = String(input['title'])
      else attachments.push({ id: randomUUID(), url: String(input['url']), title: String(input['title']) })
      return { success: true, lastSyncId: 1 }
    },

    customers: (page: Page) => connection(workspace.customers, page),

    customerNeedCreate({ input }: { input: Fields }) {
      demand('write')
      const { requests } = issueOf(String(input['issueId']))
      if (!workspace.customers.some(({ id }) => id === input['customerId'])) throw notFound('Customer')
      const taken = workspace.issues.some((issue) => issue.requests.some(({ id }) => id === input['id']))
      const id = takeId(input['id'], taken)
      requests.push({ id, customerId: String(input['customerId']), body: textOf(input['body']) })
      return { success: true, lastSyncId: 1 }
    },

    commentCreate({ input }: { input: Fields }) {
      demand('comments:create', 'write')
      const { comments } = issueOf(String(input['issueId']))
      const ids = workspace.issues.flatMap((issue) => issue.comments.map((comment) => comment.id))
      const taken = [...ids, ...workspace.deletedComments].some((id) => id === input['id'])
      comments.push({ id: takeId(input['id'], taken), body: String(input['body']) })
      return { success: true, lastSyncId: 1 }
    },

    commentUpdate({ id, input }: { id: string; input: Fields }) {
      demand('write')
      const comment = workspace.issues.flatMap(({ comments }) => comments).find((one) => one.id === id)
      if (!comment) throw notFound('Comment')
      comment.body = String(input['body'])
      return { success: true, lastSyncId: 1 }
    },

    webhookCreate({ input }: { input: WebhookInput }) {
      if (!caller.admin) throw new LinearError('FORBIDDEN', 'Only administrators can manage webhooks')
      if (input.teamId !== undefined) teamOf(input.teamId)
      webhooks.add(takeId(input.id, webhooks.has(String(input.id))), input)
      return { success: true, lastSyncId: 1 }
    },

    webhookUpdate({ id, input }: { id: string; input: WebhookInput }) {
      if (!caller.admin) throw new LinearError('FORBIDDEN', 'Only administrators can manage webhooks')
      if (!webhooks.has(id)) throw notFound('Webhook')
      webhooks.change(id, input)
      return { success: true, lastSyncId: 1 }
    },

    webhookDelete({ id }: { id: string }) {
      if (!caller.admin) throw new LinearError('FORBIDDEN', 'Only administrators can manage webhooks')
      if (!webhooks.has(id)) throw notFound('Webhook')
      webhooks.remove(id)
      return { success: true, entityId: id, lastSyncId: 1 }
    },
  }
}

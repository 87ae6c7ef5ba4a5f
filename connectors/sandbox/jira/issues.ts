import {
  done,
  type IssueRecord,
  type Json,
  missing,
  ok,
  type Reply,
  refused,
  type Site,
  STATUSES,
  viewIssue,
  viewStatus,
} from './site.ts'
import { faultsOf, lackingOf } from './validate.ts'

type Query = Readonly<Record<string, string>>

export function createIssue(site: Site, body: Json): Reply {
  const fields = (body.fields ?? {}) as Json
  const { id, key } = (fields.project ?? {}) as { id?: string; key?: string }
  const project = site.project(id ?? key)
  if (!project) return refused({ project: 'valid project is required' })
  if (site.denied.has('CREATE_ISSUES')) {
    return refused({ project: 'You cannot create issues in this project.' })
  }
  const type = project.types.find((one) => one.id === (fields.issuetype as { id?: string } | undefined)?.id)
  if (!type || type.subtask) return refused({ issuetype: 'Specify a valid issue type' })
  const unset = Object.entries(site.requiredByWorkflow).filter(([field]) => fields[field] === undefined)
  const byWorkflow = Object.fromEntries(unset.map(([field, name]) => [field, `${name} is required.`]))
  const faults = { ...byWorkflow, ...lackingOf(type.fields, fields), ...faultsOf(site, type.fields, fields) }
  if (Object.keys(faults).length > 0) return site.namesFields ? refused(faults) : refused({}, Object.values(faults))
  const properties = (body.properties ?? []) as { key: string; value: unknown }[]
  const issueId = site.nextId()
  const number = site.issues.filter((one) => one.project === project).length + 1
  const issue: IssueRecord = {
    id: issueId,
    key: `${project.key}-${number}`,
    project,
    typeId: type.id,
    fields,
    status: site.statusOf('new'),
    resolution: null,
    properties: Object.fromEntries(properties.map((one) => [one.key, one.value])),
    comments: [],
    searchable: !site.lagging,
    visible: true,
  }
  site.issues.push(issue)
  return {
    status: 201,
    body: { id: issueId, key: issue.key, self: `https://${site.host}/rest/api/3/issue/${issueId}` },
  }
}

export function readIssue(site: Site, id: string, query: Query): Reply {
  const issue = site.issue(id)
  if (!issue) return missing()
  const { fields = '*all' } = query
  return ok(viewIssue(site, issue, fields.split(',')))
}

export function listTransitions(site: Site, id: string, { expand }: Query): Reply {
  const issue = site.issue(id)
  if (!issue) return missing()
  const transitions = transitionsOf(site, issue)
  if (expand === 'transitions.fields') return ok({ transitions })
  return ok({ transitions: transitions.map((one) => ({ ...one, fields: undefined })) })
}

export function editIssue(site: Site, id: string, body: Json): Reply {
  const issue = site.issue(id)
  if (!issue) return missing()
  if (site.denied.has('EDIT_ISSUES')) {
    return {
      status: 403,
      body: { errorMessages: ['You do not have permission to edit issues in this project.'], errors: {} },
    }
  }
  if (site.closedIsReadOnly && issue.status.category === 'done') {
    return refused({
      description: "Field 'description' cannot be set. It is not on the appropriate screen, or unknown.",
    })
  }
  const screen = issue.project.types.find((type) => type.id === issue.typeId)?.fields ?? []
  const fields = (body.fields ?? {}) as Json
  const faults = faultsOf(site, screen, fields)
  if (Object.keys(faults).length > 0) return refused(faults)
  Object.assign(issue.fields, fields)
  return done
}

/** From every status to every other. The first transition needs a comment on its screen, and the second does not reopen. */
function transitionsOf(site: Site, issue: IssueRecord): Json[] {
  const reachable = STATUSES.filter((status) => status !== issue.status && !site.unreachable.has(status.name))
  const reason = {
    required: true,
    hasDefaultValue: false,
    key: 'customfield_10050',
    name: 'Reason',
    operations: ['set'],
    schema: { type: 'string' },
  }
  const plain = [...reachable].sort((a, b) => Number(b.category === 'done') - Number(a.category === 'done'))
  const view = (status: (typeof STATUSES)[number], id: string, fields: Json): Json => ({
    id,
    name: `To ${status.name}`,
    to: viewStatus(status),
    isAvailable: true,
    fields,
  })
  const withReason = plain
    .filter(({ category }) => category === 'new')
    .map((one) => view(one, `9${one.id}`, { reason }))
  return [...withReason, ...plain.map((status) => view(status, `1${status.id}`, {}))]
}

export function transition(site: Site, id: string, body: Json): Reply {
  const issue = site.issue(id)
  if (!issue) return missing()
  const wanted = (body.transition as { id?: string } | undefined)?.id ?? ''
  const offered = transitionsOf(site, issue).find((one) => one.id === wanted)
  const to = STATUSES.find((status) => status.id === (offered?.to as { id?: string } | undefined)?.id)
  if (!to || site.denied.has('TRANSITION_ISSUES'))
    return refused({}, ['It seems that you have tried to perform an illegal workflow operation.'])
  if (wanted.startsWith('9')) return refused({ customfield_10050: 'Reason is required.' })
  Object.assign(issue, { status: to, resolution: to.category === 'done' ? issue.resolution : null })
  return done
}

/** Finds issues by one label, the only JQL that it knows; any other is refused. */
export function search(site: Site, body: Json): Reply {
  const jql = typeof body.jql === 'string' ? body.jql : ''
  const [, label] = /^labels = "([^"]+)"(?: ORDER BY created ASC)?$/.exec(jql) ?? []
  if (label === undefined) return refused({}, [`Error in the JQL Query: ${jql}`])
  const fields = (body.fields ?? ['id']) as string[]
  const found = site.issues.filter(
    ({ visible, searchable, fields: own }) =>
      visible && searchable && (own.labels as string[] | undefined)?.includes(label),
  )
  const page = found.slice(0, Number(body.maxResults ?? 50))
  return ok({ issues: page.map((issue) => viewIssue(site, issue, fields)), isLast: page.length === found.length })
}

export function bulkFetch(site: Site, body: Json): Reply {
  const ids = (body.issueIdsOrKeys ?? []) as string[]
  if (ids.length === 0 || ids.length > 100) return refused({}, ['issueIdsOrKeys must have from 1 to 100 elements'])
  const fields = (body.fields ?? ['*all']) as string[]
  const found = [...new Set(ids)].flatMap((id) => site.issue(id) ?? [])
  return ok({ issues: found.map((issue) => viewIssue(site, issue, fields)), issueErrors: [] })
}

export function listComments(site: Site, id: string): Reply {
  const issue = site.issue(id)
  if (!issue) return missing()
  const comments = issue.comments.toReversed().map(viewComment)
  return ok({ comments, startAt: 0, maxResults: 100, total: comments.length })
}

export function writeComment(site: Site, id: string, commentId: string | null, { body, properties }: Json): Reply {
  const issue = site.issue(id)
  if (!issue) return missing()
  if (site.denied.has('ADD_COMMENTS')) return { status: 403, body: { errorMessages: ['No permission'], errors: {} } }
  if (commentId === null) {
    const comment = { id: site.nextId(), body, properties: properties ?? [] }
    issue.comments.push(comment)
    return { status: 201, body: viewComment(comment) }
  }
  const comment = issue.comments.find((one) => one.id === commentId)
  if (!comment) return missing('Can not find a comment for the id.')
  comment.body = body
  return ok(viewComment(comment))
}

/** Properties are shown only to those who ask for them. */
const viewComment = ({ id, body }: IssueRecord['comments'][number]): Json => ({ id, body })

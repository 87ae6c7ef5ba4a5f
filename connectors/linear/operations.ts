import * as z from 'zod/mini'
import type { Operation } from './client.ts'

const ISSUE_FIELDS = 'id identifier title url archivedAt trashed state { id name type }'

const State = z.object({ id: z.string(), name: z.string(), type: z.string() })
export const Issue = z.object({
  id: z.string(),
  identifier: z.string(),
  title: z.string(),
  url: z.string(),
  archivedAt: z.nullable(z.string()),
  trashed: z.nullable(z.boolean()),
  state: State,
})
export type Issue = z.infer<typeof Issue>
const TeamStates = z.object({
  states: z.object({ nodes: z.array(z.object({ id: z.string(), type: z.string(), position: z.number() })) }),
})
const Done = z.object({ success: z.boolean() })

const define = <T extends z.ZodMiniType>(name: string, document: string, data: T): Operation<T> => ({
  name,
  document,
  data,
})

export const WHO = define(
  'viewer',
  'query Who { viewer { id name } organization { id name } }',
  z.object({
    viewer: z.object({ id: z.string(), name: z.string() }),
    organization: z.object({ id: z.string(), name: z.string() }),
  }),
)

export const ISSUE = define(
  'issue',
  `query Issue($id: String!) {
  issue(id: $id) { ${ISSUE_FIELDS} team { states(first: 100) { nodes { id type position } } } }
}`,
  z.object({ issue: z.extend(Issue, { team: TeamStates }) }),
)

export const ISSUES = define(
  'issues',
  `query Issues($ids: [ID!]!) {
  issues(filter: { id: { in: $ids } }, first: 50, includeArchived: true) { nodes { ${ISSUE_FIELDS} } }
}`,
  z.object({ issues: z.object({ nodes: z.array(Issue) }) }),
)

export const ISSUE_CREATE = define(
  'issueCreate',
  `mutation IssueCreate($input: IssueCreateInput!) { issueCreate(input: $input) { issue { ${ISSUE_FIELDS} } } }`,
  z.object({ issueCreate: z.object({ issue: Issue }) }),
)

export const ISSUE_UPDATE = define(
  'issueUpdate',
  `mutation IssueUpdate($id: String!, $input: IssueUpdateInput!) {
  issueUpdate(id: $id, input: $input) { issue { ${ISSUE_FIELDS} } }
}`,
  z.object({ issueUpdate: z.object({ issue: Issue }) }),
)

export const ISSUE_UNARCHIVE = define(
  'issueUnarchive',
  'mutation IssueUnarchive($id: String!) { issueUnarchive(id: $id) { success } }',
  z.object({ issueUnarchive: Done }),
)

export const ATTACHMENT_CREATE = define(
  'attachmentCreate',
  'mutation AttachmentCreate($input: AttachmentCreateInput!) { attachmentCreate(input: $input) { success } }',
  z.object({ attachmentCreate: Done }),
)

export const COMMENT_CREATE = define(
  'commentCreate',
  'mutation CommentCreate($input: CommentCreateInput!) { commentCreate(input: $input) { success } }',
  z.object({ commentCreate: Done }),
)

export const COMMENT_UPDATE = define(
  'commentUpdate',
  `mutation CommentUpdate($id: String!, $input: CommentUpdateInput!) {
  commentUpdate(id: $id, input: $input) { success }
}`,
  z.object({ commentUpdate: Done }),
)

/** Customers of one response. */
export const CUSTOMERS_PAGE = 100

export const CUSTOMERS = define(
  'customers',
  `query Customers($filter: CustomerFilter!) { customers(first: ${CUSTOMERS_PAGE}, filter: $filter) { nodes { id name } } }`,
  z.object({ customers: z.object({ nodes: z.array(z.object({ id: z.string(), name: z.string() })) }) }),
)

export const CUSTOMER_NEED_CREATE = define(
  'customerNeedCreate',
  'mutation CustomerNeedCreate($input: CustomerNeedCreateInput!) { customerNeedCreate(input: $input) { success } }',
  z.object({ customerNeedCreate: Done }),
)

export const TEAM = define(
  'team',
  'query Team($id: String!) { viewer { name } team(id: $id) { id name archivedAt retiredAt } }',
  z.object({
    viewer: z.object({ name: z.string() }),
    team: z.object({
      id: z.string(),
      name: z.string(),
      archivedAt: z.nullable(z.string()),
      retiredAt: z.nullable(z.string()),
    }),
  }),
)

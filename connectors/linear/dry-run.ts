import * as z from 'zod/mini'
import { parseJson } from '../kit/http/parse-json.ts'
import type { DraftRequest, Tracker } from '../tracker.ts'

const Input = z.object({
  id: z.optional(z.string()),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  labelIds: z._default(z.array(z.string()), []),
  assigneeId: z.optional(z.string()),
  teamId: z.optional(z.string()),
  projectId: z.optional(z.string()),
  stateId: z.optional(z.string()),
  priority: z.optional(z.number()),
})
const Body = z.object({ query: z.string(), variables: z.object({ id: z.optional(z.string()), input: Input }) })

const FIELDS = { teamId: 'team', projectId: 'project', stateId: 'state', priority: 'priority' } as const

export const dryRun: Tracker['dryRun'] = {
  shown(request) {
    const draft = draftOf(request)
    if (!draft || !/^(issueCreate|issueUpdate)$/.test(draft.operation)) return null
    const { title = null, description = null, labelIds, assigneeId = null } = draft.input
    const fields = Object.entries(FIELDS).flatMap(([key, name]) => {
      const value = draft.input[key as keyof typeof FIELDS]
      return value === undefined ? [] : [{ name, value: String(value) }]
    })
    return { title, text: description, labels: labelIds, assignee: assigneeId, fields }
  },

  /** The next request, the attachment of a new issue, needs only the issue's id, and that is ours. */
  replyTo(request) {
    const draft = draftOf(request)
    if (draft?.operation === 'attachmentCreate') return { data: { attachmentCreate: { success: true } } }
    if (draft?.operation === 'customers') return { data: { customers: { nodes: [] } } }
    if (draft?.operation !== 'issueCreate' || draft.input.id === undefined) return null
    const state = { id: '', name: '', type: 'unstarted' }
    const { id, title = '' } = draft.input
    const issue = { id, title, identifier: '', url: '', archivedAt: null, trashed: null, state }
    return { data: { issueCreate: { issue } } }
  },
}

function draftOf({ body }: DraftRequest): { operation: string; input: z.infer<typeof Input> } | null {
  const parsed = Body.safeParse(parseJson(body)).data
  const [, operation] = /\{\s*(\w+)\(/.exec(parsed?.query ?? '') ?? []
  return parsed && operation !== undefined ? { operation, input: parsed.variables.input } : null
}

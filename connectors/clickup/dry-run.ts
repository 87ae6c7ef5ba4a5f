import * as z from 'zod/mini'
import { parseJson } from '../kit/http/parse-json.ts'
import type { Tracker } from '../tracker.ts'

const Draft = z.object({
  name: z.optional(z.string()),
  markdown_content: z.string(),
  tags: z._default(z.array(z.string()), []),
  assignees: z._default(z.array(z.number()), []),
  status: z.optional(z.string()),
  priority: z.optional(z.number()),
  custom_fields: z._default(z.array(z.object({ id: z.string(), value: z.unknown() })), []),
})

export const dryRun: Tracker['dryRun'] = {
  shown({ body }) {
    const draft = Draft.safeParse(parseJson(body)).data
    if (!draft) return null
    const { name = null, markdown_content, tags, assignees, status, priority, custom_fields } = draft
    const own = [
      { name: 'status', value: status },
      { name: 'priority', value: priority },
      ...custom_fields.map(({ id, value }) => ({ name: id, value })),
    ]
    return {
      title: name,
      text: markdown_content,
      labels: tags,
      assignee: assignees[0] === undefined ? null : String(assignees[0]),
      fields: own.flatMap((field) =>
        field.value === undefined ? [] : [{ name: field.name, value: [field.value].flat().map(String).join(', ') }],
      ),
    }
  },
}

import * as z from 'zod/mini'
import { parseJson } from '../kit/http/parse-json.ts'
import type { Tracker } from '../tracker.ts'

const Draft = z.object({
  title: z.optional(z.string()),
  body: z.optional(z.string()),
  labels: z._default(z.array(z.string()), []),
  assignees: z._default(z.array(z.string()), []),
})

/** Creating and changing an issue are its only requests; a comment has another path. */
export const dryRun: Tracker['dryRun'] = {
  shown({ url, body }) {
    const draft = /\/comments(?:\/|$)/.test(new URL(url).pathname) ? undefined : Draft.safeParse(parseJson(body)).data
    if (!draft) return null
    const { title = null, body: text = null, labels, assignees } = draft
    return { title, text, labels, assignee: assignees[0] ?? null, fields: [] }
  },
}

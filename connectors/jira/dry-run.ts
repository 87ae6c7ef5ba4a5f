import * as z from 'zod/mini'
import { parseJson } from '../kit/http/parse-json.ts'
import type { Tracker } from '../tracker.ts'

type Node = { type?: string; text?: string; content?: readonly Node[] }
const Fields = z.record(z.string(), z.unknown())
const Draft = z.object({ fields: Fields })

/** Fields that are shown as what they are, or say where the issue is created. */
const OWN: ReadonlySet<string> = new Set(['summary', 'description', 'labels', 'assignee', 'project', 'issuetype'])
const BLOCKS: ReadonlySet<string> = new Set(['paragraph', 'heading', 'blockquote'])

export const dryRun: Tracker['dryRun'] = {
  shown({ body }) {
    const fields = Draft.safeParse(parseJson(body)).data?.fields
    if (!fields) return null
    const { summary, description, labels, assignee } = fields
    return {
      title: typeof summary === 'string' ? summary : null,
      text: description === undefined ? null : textOf(description as Node).trim(),
      labels: z.array(z.string()).safeParse(labels).data ?? [],
      assignee: assignee === undefined ? null : valueOf(assignee),
      fields: Object.entries(fields).flatMap(([name, value]) =>
        OWN.has(name) ? [] : [{ name, value: [value].flat().map(valueOf).join(', ') }],
      ),
    }
  },
}

/** The text of a document in Atlassian's format, which is JSON. */
function textOf({ type = '', text, content = [] }: Node): string {
  if (type === 'hardBreak') return '\n'
  const inner = text ?? content.map(textOf).join('')
  return BLOCKS.has(type) ? `${inner.trimEnd()}\n\n` : inner
}

const Reference = z.union([z.object({ id: z.string() }), z.object({ accountId: z.string() })])

/** The id of what a field refers to, or its plain value. */
function valueOf(value: unknown): string {
  const reference = Reference.safeParse(value).data
  if (reference) return 'id' in reference ? reference.id : reference.accountId
  const isDocument = typeof value === 'object' && value !== null && 'content' in value
  return isDocument ? textOf(value as Node).trim() : String(value)
}

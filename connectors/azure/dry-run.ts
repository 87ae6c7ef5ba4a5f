import * as z from 'zod/mini'
import { parseJson } from '../kit/http/parse-json.ts'
import type { Tracker } from '../tracker.ts'
import { DESCRIPTION, REPRO_STEPS } from './text-fields.ts'

/** A JSON Patch document, which is how work items are created and changed. */
const Patch = z.array(z.object({ path: z.string(), value: z.unknown() }))

const TITLE = 'System.Title'
const TAGS = 'System.Tags'
const ASSIGNED_TO = 'System.AssignedTo'
const OWN: ReadonlySet<string> = new Set([TITLE, TAGS, ASSIGNED_TO, DESCRIPTION, REPRO_STEPS])

export const dryRun: Tracker['dryRun'] = {
  shown({ body }) {
    const patch = Patch.safeParse(parseJson(body)).data
    if (!patch) return null
    const fields = new Map(
      patch.flatMap(({ path, value }) => {
        const [, name] = /^\/fields\/(.+)$/.exec(path) ?? []
        return name === undefined ? [] : [[name, String(value)] as const]
      }),
    )
    return {
      title: fields.get(TITLE) ?? null,
      text: fields.get(DESCRIPTION) ?? fields.get(REPRO_STEPS) ?? null,
      labels: fields.get(TAGS)?.split(/;\s*/) ?? [],
      assignee: fields.get(ASSIGNED_TO) ?? null,
      fields: [...fields].filter(([name]) => !OWN.has(name)).map(([name, value]) => ({ name, value })),
    }
  },
}

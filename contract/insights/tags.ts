import * as z from 'zod/mini'
import { route } from '../route.ts'
import { Tag } from '../settings.ts'

/** An insight and the value that a tag would have on it. */
export const TagExample = z.object({
  issue_number: z.int(),
  issue_name: z.string(),
  option_value: z.union([z.string(), z.number()]),
})
export type TagExample = z.infer<typeof TagExample>

/**
 * What a tag would do. `understood` explains how its description was read, `cat_type` what it sets: null when it was
 * not understood. `insights` were checked, `matched` of them got a value. `options` are the values of a `category`, in the
 * order of the description; `examples` are the highest numbers of the other kinds. At most 5 examples each.
 */
export const TagPreview = z.object({
  name: z.string(),
  cat_type: z.nullable(z.enum(['category', 'calculated', 'number'])),
  understood: z.string(),
  insights: z.int(),
  matched: z.int(),
  options: z.array(
    z.object({
      option_value: z.string(),
      option_colour: z.string(),
      count: z.int(),
      examples: z.array(TagExample),
    }),
  ),
  examples: z.array(TagExample),
})
export type TagPreview = z.infer<typeof TagPreview>

/** `on_insights`: false: only how the descriptions are read; no insight is checked. */
export const previewTags = route({
  name: 'previewTags',
  summary: 'Try tags on the last 200 insights; changes nothing',
  method: 'POST',
  path: '/api/tags/preview',
  access: 'member',
  audit: 'none',
  body: z.object({
    categories: z.array(Tag).check(z.minLength(1), z.maxLength(20)),
    on_insights: z.optional(z.boolean()),
  }),
  reply: z.object({ tags: z.array(TagPreview) }),
  errors: ['invalid_input'],
  example: () => ({
    body: { categories: [{ name: 'Area', description: 'Everything about invoices, payments and what they cost' }] },
  }),
})

/** Counts insights. Values are set in the background after the tags change; then `done` equals `all`. */
export const getTagProgress = route({
  name: 'getTagProgress',
  summary: 'How many of all insights the current tags have been set on',
  method: 'GET',
  path: '/api/tags/progress',
  access: 'viewer',
  reply: z.object({ done: z.int(), all: z.int() }),
  errors: [],
})

import * as z from 'zod/mini'

/** The fields that are read from the tracker's responses. */
export const Item = z.object({
  id: z.string(),
  number: z.int(),
  title: z.string(),
  url: z.string(),
  state: z.enum(['open', 'closed']),
  reason: z.nullable(z.string()),
  comments: z.array(z.object({ id: z.string() })),
})
export const Items = z.object({ items: z.array(Item) })
export const Comment = z.object({ id: z.string() })
export const Project = z.object({ name: z.string(), may_write: z.boolean() })

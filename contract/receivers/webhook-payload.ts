import * as z from 'zod/mini'
import { givenSchemas, insightOutputs } from '../insight-fields.ts'

/** The current `version` of `WebhookPayload`. */
export const WEBHOOK_PAYLOAD_VERSION = 1

/**
 * The JSON body that a webhook receives. `version` rises only when a field changes its meaning or is removed. `insight.id`
 * is stable for the life of the insight; `delivery_id` is the `webhook-id` header: the same on every attempt.
 */
export const WebhookPayload = z.object({
  version: z.literal(WEBHOOK_PAYLOAD_VERSION),
  type: z.enum(['insight.created', 'insight.updated', 'insight.test']),
  timestamp: z.string(),
  delivery_id: z.string(),
  data: z.object({
    insight: z.object({
      id: z.string(),
      ...givenSchemas(insightOutputs.push),
      url: z.nullable(z.string()),
      /** The largest customers by revenue and then by mentions, at most 10. Omitted where none is known. */
      customers: z.optional(
        z.array(
          z.object({
            name: z.string(),
            plan: z.nullable(z.string()),
            revenue: z.nullable(z.number()),
            mentions: z.int(),
          }),
        ),
      ),
      categories: z.array(
        z.object({ name: z.string(), type: z.string(), value: z.union([z.string(), z.number(), z.null()]) }),
      ),
      /** True once its messages were deleted at their source: it is no longer shown. Omitted otherwise. */
      withdrawn: z.optional(z.boolean()),
    }),
    new_mentions: z.int(),
    evidence: z.array(
      z.object({
        text: z.string(),
        author: z.nullable(z.string()),
        date: z.string(),
        link: z.nullable(z.string()),
        source: z.string(),
      }),
    ),
  }),
})
export type WebhookPayload = z.infer<typeof WebhookPayload>

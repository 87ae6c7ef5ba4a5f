import * as z from 'zod/mini'
import { completeSchemas, insightOutputs } from '../insight-fields.ts'
import { TeamStatus } from '../insights/team-status-value.ts'
import { InsightStatus } from '../insights.ts'
import { EventType } from './event-types.ts'

/** The event that `testReceiver` sends. */
export const TEST_EVENT = 'receiver.test'

/** The lengths to which an event cuts texts, so that its size is bounded. */
export const EVENT_TEXT = { name: 300, summary: 2_000 } as const

/** An insight in an event. It is as it was when the event was first sent, which is seconds after it happened unless the receiver was disabled. */
const EventInsight = z.object({
  /** Stable for the life of the insight. */
  id: z.string(),
  number: z.int(),
  name: z.string().check(z.maxLength(EVENT_TEXT.name)),
  summary: z.string().check(z.maxLength(EVENT_TEXT.summary)),
  ...completeSchemas(insightOutputs.events),
  url: z.string(),
})

/**
 * The JSON body that a receiver gets. `timestamp`: when it happened. `changed`: the fields that changed, in `insight.updated`, `insight.team_status_changed`
 * and the events of a status. `previous`: their values before; of tags there are none.
 */
export const OutgoingEvent = z.object({
  type: z.union([EventType, z.literal(TEST_EVENT)]),
  timestamp: z.string(),
  data: z.object({
    workspace_id: z.string(),
    insight: z.optional(EventInsight),
    changed: z.optional(z.array(z.enum(['name', 'tags', 'status', 'team_status']))),
    previous: z.optional(
      z.object({
        name: z.optional(z.string()),
        status: z.optional(InsightStatus),
        team_status: z.optional(z.nullable(TeamStatus)),
      }),
    ),
    /** In `insight.merged`: what it was merged into. */
    merged_into: z.optional(z.object({ id: z.string(), number: z.int(), name: z.string(), url: z.string() })),
  }),
})
export type OutgoingEvent = z.infer<typeof OutgoingEvent>

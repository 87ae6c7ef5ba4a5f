import * as z from 'zod/mini'

/** The events of a workspace that receivers can choose. */
export const EVENT_TYPES = [
  'insight.created',
  'insight.updated',
  'insight.team_status_changed',
  'insight.pushed',
  'insight.resolved',
  'insight.regressed',
  'insight.merged',
  'insight.deleted',
  'insight.restored',
] as const
/** One of `EVENT_TYPES`. */
export const EventType = z.enum(EVENT_TYPES)
export type EventType = z.infer<typeof EventType>

import * as z from 'zod/mini'
import { route } from '../route.ts'
import { DeletionEffects } from './import-undo.ts'

/** How many days a message is kept after its own date; null: forever. */
const Days = z.nullable(z.int().check(z.gte(1), z.lte(36_500)))

/** `days`: for this source only; null: the same as the others. */
const SourceRetention = z.object({ id: z.uuid(), days: Days })

/** `days`: for every source without its own period. `label`: of the connector; `name`: what it is connected to. */
export const Retention = z.object({
  days: Days,
  sources: z.array(z.extend(SourceRetention, { label: z.string(), name: z.string(), messages: z.int() })),
})
export type Retention = z.infer<typeof Retention>

/** Periods are in days; null: feedback is kept without limit. */
export const getRetention = route({
  name: 'getRetention',
  summary: 'How long feedback is kept, for all sources and for each',
  method: 'GET',
  path: '/api/retention',
  access: 'viewer',
  reply: Retention,
  errors: [],
})

/** Older messages are deleted from the next hour on, and no longer stored. Sources that are not named keep their setting. */
export const setRetention = route({
  name: 'setRetention',
  summary: 'Set how long feedback is kept. Deleting older messages begins within an hour and cannot be undone',
  method: 'PUT',
  path: '/api/retention',
  access: 'owner',
  audit: { action: 'retention.changed' },
  body: z.object({ days: Days, sources: z.array(SourceRetention).check(z.maxLength(1_000)) }),
  reply: Retention,
  errors: ['invalid_input', 'not_found'],
  example: () => ({ body: { days: 3_650, sources: [] } }),
})

/** A person as messages name their author. */
const Author = z.object({ author: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)) })

/** Changes nothing. Names are compared as in `erasePerson`. */
export const previewErasure = route({
  name: 'previewErasure',
  summary: 'What erasing all messages of a person would change, with the 20 insights that lose the most mentions',
  method: 'POST',
  path: '/api/erasure/preview',
  access: 'owner',
  audit: 'none',
  body: Author,
  reply: DeletionEffects,
  errors: ['invalid_input'],
  example: () => ({ body: { author: 'Nobody at all' } }),
})

/**
 * Deletes every message whose author has this name (ignoring case), in all sources, including answers by agents. They are not stored again if a
 * source is read again. What deliveries of the insights concerned have sent is removed here; destinations keep what they received.
 */
export const erasePerson = route({
  name: 'erasePerson',
  summary: 'Erase all messages of a person, which cannot be undone',
  method: 'POST',
  path: '/api/erasure',
  access: 'owner',
  audit: { action: 'person.erased' },
  body: Author,
  reply: z.object({ removed: z.int() }),
  errors: ['invalid_input'],
  example: () => ({ body: { author: 'Nobody at all' } }),
})

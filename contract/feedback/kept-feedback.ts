import * as z from 'zod/mini'
import { route } from '../route.ts'
import { DeletionEffects } from './import-undo.ts'

/**
 * A disconnected source whose feedback was kept. `id`: of its former connection; `label`: of the connector; `name`: what it was connected
 * to. `messages`: all that are stored, agents' included.
 */
export const KeptFeedback = z.object({
  id: z.uuid(),
  tile: z.string(),
  label: z.string(),
  name: z.string(),
  messages: z.int(),
  disconnected_at: z.string(),
})
export type KeptFeedback = z.infer<typeof KeptFeedback>

const KeptParams = z.object({ id: z.uuid() })

export const listKeptFeedback = route({
  name: 'listKeptFeedback',
  summary: 'The disconnected sources whose feedback was kept, the latest first',
  method: 'GET',
  path: '/api/kept-feedback',
  access: 'viewer',
  reply: z.object({ sources: z.array(KeptFeedback) }),
  errors: [],
})

/** Changes nothing. `not_found`: no disconnected source has this id. */
export const previewKeptDeletion = route({
  name: 'previewKeptDeletion',
  summary:
    'What deleting the feedback of a disconnected source would change, with the 20 insights that lose the most mentions',
  method: 'GET',
  path: '/api/kept-feedback/{id}/deletion',
  access: 'member',
  params: KeptParams,
  reply: DeletionEffects,
  errors: ['invalid_input', 'not_found'],
  example: ({ keptFeedback }) => ({ params: { id: keptFeedback } }),
})

/** Cannot be undone. `removed`: the number of messages. */
export const deleteKeptFeedback = route({
  name: 'deleteKeptFeedback',
  summary: 'Delete all feedback of a disconnected source. Connecting its account again reads everything again',
  method: 'DELETE',
  path: '/api/kept-feedback/{id}',
  access: 'member',
  audit: { action: 'kept-feedback.deleted', target: 'id' },
  params: KeptParams,
  reply: z.object({ removed: z.int() }),
  errors: ['invalid_input', 'not_found'],
  example: ({ keptFeedback }) => ({ params: { id: keptFeedback } }),
})

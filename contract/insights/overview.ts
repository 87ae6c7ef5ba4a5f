import * as z from 'zod/mini'
import { route } from '../route.ts'

/**
 * Where the mentions of a workspace are. `insights` shown ones with `mentions`; `emerging` ones with `emerging_mentions`. The others are in
 * neither: `suggested` ones may belong to an insight; `other_languages` are compared by words only, because the encoder was not made for their
 * languages; of `alone` no one else said the same; `small_talk` carries no feedback. Of more than 3,000 in neither, the languages of the newest
 * 3,000 are extrapolated.
 */
export const getOverview = route({
  name: 'getOverview',
  summary:
    'How many mentions are in insights, in emerging ones and in neither, and why; answers 304 when nothing has changed',
  method: 'GET',
  path: '/api/insights/overview',
  access: 'viewer',
  scope: 'read',
  reply: z.object({
    insights: z.int(),
    mentions: z.int(),
    emerging: z.int(),
    emerging_mentions: z.int(),
    suggested: z.int(),
    other_languages: z.int(),
    alone: z.int(),
    small_talk: z.int(),
  }),
  errors: [],
})

import * as z from 'zod/mini'
import { FeedbackKind } from '../feedback/feedback-kind.ts'
import { MentionId } from '../insights.ts'
import { route } from '../route.ts'

const StoredKind = z.object({ kind: z.nullable(FeedbackKind), set_by: z.enum(['engine', 'person']) })

/**
 * A person's kind holds for this mention, however its message is grouped, until these words of it change; it also decides for later mentions that
 * say nearly the same. null returns the mention to the engine. `before`: what it was, for undoing.
 */
export const setFeedbackKind = route({
  name: 'setFeedbackKind',
  summary: 'Set the kind of one mention by hand',
  method: 'PUT',
  path: '/api/feedback-kind',
  access: 'member',
  audit: { action: 'mention.kind-set', target: 'mention' },
  body: z.object({ mention: MentionId, kind: z.nullable(FeedbackKind) }),
  reply: z.object({ mention: z.string(), kind: z.nullable(FeedbackKind), before: StoredKind }),
  errors: ['invalid_input', 'not_found'],
  example: ({ mention }) => ({ body: { mention, kind: 'praise' } }),
})

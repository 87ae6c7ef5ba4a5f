import * as z from 'zod/mini'
import { ImportParams } from '../feedback.ts'
import { route } from '../route.ts'

export const listReplaced = route({
  name: 'listReplaced',
  summary: 'Messages whose text an import replaced, with both texts, 50 at a time',
  method: 'GET',
  path: '/api/imports/{id}/replaced',
  access: 'viewer',
  params: ImportParams,
  query: z.object({
    after: z.optional(z.coerce.number<string | number>().check(z.int(), z.gte(0), z.lte(Number.MAX_SAFE_INTEGER))),
  }),
  reply: z.object({
    replaced: z.array(z.object({ item_id: z.int(), before: z.string(), after: z.string() })),
    next: z.nullable(z.int()),
  }),
  errors: ['invalid_input', 'not_found'],
  example: ({ fileImport }) => ({ params: { id: fileImport } }),
})

export const restoreReplaced = route({
  name: 'restoreReplaced',
  summary: 'Restore the texts that an import replaced: of these messages, or of all',
  method: 'POST',
  path: '/api/imports/{id}/restore',
  access: 'member',
  audit: { action: 'import.texts-restored', target: 'id' },
  params: ImportParams,
  body: z.object({ item_ids: z.optional(z.array(z.int()).check(z.minLength(1), z.maxLength(1000))) }),
  reply: z.object({ restored: z.int() }),
  errors: ['invalid_input', 'not_found'],
  example: ({ fileImport }) => ({ params: { id: fileImport }, body: {} }),
})

export const deleteImport = route({
  name: 'deleteImport',
  summary: 'Delete an import: messages that only it brought are removed, texts that it replaced are restored',
  method: 'DELETE',
  path: '/api/imports/{id}',
  access: 'member',
  audit: { action: 'import.deleted', target: 'id' },
  params: ImportParams,
  reply: z.object({ removed: z.int(), restored: z.int() }),
  errors: ['invalid_input', 'not_found'],
  ends: 'import',
  example: ({ fileImport }) => ({ params: { id: fileImport } }),
})

/** What a deletion of feedback would change: how many messages are removed, and how many insights shrink or disappear. */
export const DeletionEffects = z.object({
  removed: z.int(),
  shrink: z.int(),
  disappear: z.int(),
  insights: z.array(
    z.object({
      issue_number: z.int(),
      name: z.string(),
      mentions_before: z.int(),
      mentions_after: z.int(),
      disappears: z.boolean(),
    }),
  ),
})
export type DeletionEffects = z.infer<typeof DeletionEffects>

/** Lost with an import: corrections of `messages`, changes by people and `comments` in `insights` that disappear. `pushed` ones lose messages. */
const PeoplesWork = z.object({ messages: z.int(), insights: z.int(), comments: z.int(), pushed: z.int() })
export type PeoplesWork = z.infer<typeof PeoplesWork>

export const previewImportDeletion = route({
  name: 'previewImportDeletion',
  summary:
    'What deleting an import would change, with the 20 insights that lose the most mentions, and what of people’s work would be lost',
  method: 'GET',
  path: '/api/imports/{id}/deletion',
  access: 'member',
  params: ImportParams,
  /** `restored`: how many messages get their earlier text back; `kept`: how many stay as another import has them too, these included. */
  reply: z.extend(DeletionEffects, {
    restored: z.int(),
    kept: z._default(z.int(), 0),
    work: z._default(z.nullable(PeoplesWork), null),
  }),
  errors: ['invalid_input', 'not_found'],
  example: ({ fileImport }) => ({ params: { id: fileImport } }),
})

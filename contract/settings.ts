import * as z from 'zod/mini'
import { route } from './route.ts'
import { nameOf } from './values/name.ts'

/** The bounds and the default of the threshold: how many mentions, people or customers an insight needs to be pushed. */
export const MIN_INPUTS = { lowest: 2, highest: 10, default: 3 } as const
/** The fewest characters of a tag’s description: less says too little to derive values from. */
export const TAG_DESCRIPTION_MIN = 40
/** The most tags of a workspace. */
export const MAX_TAGS = 300

const TagDescription = z.string().check(z.trim(), z.minLength(TAG_DESCRIPTION_MIN), z.maxLength(4000))

/** A user's tag: the description says what the engine looks for. */
export const Tag = z.object({ name: nameOf(200), description: TagDescription })
export type Tag = z.infer<typeof Tag>

/** What the threshold counts. */
export const CountBy = z.enum(['mentions', 'people', 'customers'])
export type CountBy = z.infer<typeof CountBy>

/**
 * When an insight is pushed automatically, and the user's tags. `count_by`: what the threshold counts. `count_people`: the same as it was
 * before customers were counted, people or mentions; it is regarded where `count_by` is absent. `hold_guesses`: an insight whose name is a guess is not pushed
 * automatically until a person or a language model has named it, or the engine is sure.
 */
export const Settings = z.object({
  method: z.enum(['auto']),
  min_inputs: z.int().check(z.gte(MIN_INPUTS.lowest), z.lte(MIN_INPUTS.highest)),
  categories: z.array(Tag).check(z.maxLength(MAX_TAGS)),
  count_people: z.optional(z.boolean()),
  count_by: z.optional(CountBy),
  hold_guesses: z.optional(z.boolean()),
})
export type Settings = z.infer<typeof Settings>

/** What the threshold of these settings counts. */
export function countBy({ count_by, count_people }: Pick<Settings, 'count_by' | 'count_people'>): CountBy {
  return count_by ?? (count_people ? 'people' : 'mentions')
}

/** Replaces all settings; tags that are left out are removed. The reply has them as they are stored. */
export const updateSettings = route({
  name: 'updateSettings',
  summary: 'Replace the settings of the workspace',
  method: 'POST',
  path: '/api/user/update-settings',
  access: 'member',
  audit: { action: 'settings.saved' },
  body: Settings,
  reply: z.object({ message: z.string(), data: Settings }),
  errors: ['invalid_input'],
  example: () => ({ body: { method: 'auto', min_inputs: 9, categories: [] } }),
})

import * as z from 'zod/mini'
import { InsightNumber } from '../insights.ts'
import { route } from '../route.ts'
import { nameOf } from '../values/name.ts'

/** How many weeks the trend of a theme has. */
export const THEME_WEEKS = 8

/**
 * Insights about one thing. `trend`: mentions in each of the last 8 weeks, oldest first. `by_person`: a person made or named it, so that it
 * stays even without insights.
 */
export const Theme = z.object({
  theme_id: z.int(),
  name: z.string(),
  by_person: z.boolean(),
  issue_numbers: z.array(z.int()),
  mention_count: z.int(),
  trend: z.array(z.int()),
})
export type Theme = z.infer<typeof Theme>

const Id = z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(2_147_483_647))
const ThemeId = z.object({ theme_id: Id })
const ThemeName = nameOf(80)

export const listThemes = route({
  name: 'listThemes',
  summary: 'The themes above the insights, most mentions first; answers 304 when nothing has changed',
  method: 'GET',
  path: '/api/insights/themes',
  access: 'viewer',
  scope: 'read',
  reply: z.object({ themes: z.array(Theme) }),
  errors: [],
})

/** Undone by `removeTheme`. */
export const createTheme = route({
  name: 'createTheme',
  summary: 'Create a theme, to move insights to',
  method: 'POST',
  path: '/api/insights/themes',
  access: 'member',
  audit: { action: 'theme.made' },
  body: z.object({ name: ThemeName }),
  reply: ThemeId,
  errors: ['invalid_input', 'conflict'],
  example: () => ({ body: { name: 'A theme' } }),
})

/** `name`: null for the one that the engine gave it. `before`: what to send to undo this. */
export const renameTheme = route({
  name: 'renameTheme',
  summary: 'Name a theme; null for the name that the engine gave it',
  method: 'PATCH',
  path: '/api/insights/themes/{theme_id}',
  access: 'member',
  audit: { action: 'theme.renamed', target: 'theme_id' },
  params: ThemeId,
  body: z.object({ name: z.nullable(ThemeName) }),
  reply: z.object({ theme_id: z.int(), before: z.nullable(z.string()) }),
  errors: ['invalid_input', 'not_found', 'conflict'],
  example: ({ theme }) => ({ params: { theme_id: theme }, body: { name: 'Another theme' } }),
})

/** Undone by `restoreTheme`. */
export const removeTheme = route({
  name: 'removeTheme',
  summary: 'Remove a theme: its insights are left without one, and it does not come back',
  method: 'DELETE',
  path: '/api/insights/themes/{theme_id}',
  access: 'member',
  audit: { action: 'theme.removed', target: 'theme_id' },
  params: ThemeId,
  reply: ThemeId,
  errors: ['invalid_input', 'not_found'],
  example: ({ theme }) => ({ params: { theme_id: theme } }),
})

/** `not_found`: it is not removed. `conflict`: meanwhile another theme has its name. */
export const restoreTheme = route({
  name: 'restoreTheme',
  summary: 'Undo the removal of a theme',
  method: 'POST',
  path: '/api/insights/themes/{theme_id}/restore',
  access: 'member',
  audit: { action: 'theme.restored', target: 'theme_id' },
  params: ThemeId,
  reply: ThemeId,
  errors: ['invalid_input', 'not_found', 'conflict'],
  example: ({ removedTheme }) => ({ params: { theme_id: removedTheme } }),
})

/** `before`: where it was. If a person had put it there, this undoes it with `moveToTheme`, else `leaveToEngine` does. */
export const ThemeMove = z.object({
  issue_number: z.int(),
  before: z.object({ theme_id: z.nullable(z.int()), by_person: z.boolean() }),
})

export type ThemeMove = z.infer<typeof ThemeMove>

/** Undone with `before` of the reply: see `ThemeMove`. `not_found`: there is no such insight or theme. */
export const moveToTheme = route({
  name: 'moveToTheme',
  summary: 'Put an insight into a theme, where it stays; null for no theme',
  method: 'PUT',
  path: '/api/insights/{issue_number}/theme',
  access: 'member',
  audit: { action: 'insight.moved-to-theme', target: 'issue_number' },
  params: InsightNumber,
  body: z.object({ theme_id: z.nullable(z.int().check(z.gte(1), z.lte(2_147_483_647))) }),
  reply: ThemeMove,
  errors: ['invalid_input', 'not_found'],
  example: ({ issue }) => ({ params: { issue_number: issue }, body: { theme_id: null } }),
})

/** Undone with `before` of the reply: see `ThemeMove`. `not_found`: there is no such insight. */
export const leaveToEngine = route({
  name: 'leaveToEngine',
  summary: 'Let the engine choose the theme of an insight again',
  method: 'DELETE',
  path: '/api/insights/{issue_number}/theme',
  access: 'member',
  audit: { action: 'insight.theme-left-to-engine', target: 'issue_number' },
  params: InsightNumber,
  reply: ThemeMove,
  errors: ['invalid_input', 'not_found'],
  example: ({ issue }) => ({ params: { issue_number: issue } }),
})

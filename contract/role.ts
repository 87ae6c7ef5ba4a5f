import * as z from 'zod/mini'

/** What a person may do in a workspace, the least first. `viewer`: see; `member`: also change; `owner`: also decide about people and data. */
export const ROLES = ['viewer', 'member', 'owner'] as const

export const Role = z.enum(ROLES)
export type Role = z.infer<typeof Role>

import * as z from 'zod/mini'

/** The roles in a workspace, in ascending order. `viewer`: see and comment; `member`: also change; `owner`: also manage people and data. */
export const ROLES = ['viewer', 'member', 'owner'] as const

/** One of `ROLES`. */
export const Role = z.enum(ROLES)
export type Role = z.infer<typeof Role>

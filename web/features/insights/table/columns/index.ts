import { customersColumn, revenueColumn } from './customers.tsx'
import { kindColumn } from './kind.tsx'
import { mentionsColumn } from './mentions.tsx'
import { nameColumn } from './name.tsx'
import { statusColumn } from './status.tsx'
import { teamStatusColumn } from './team-status.tsx'
import { trendColumn } from './trend.tsx'
import { updatedColumn } from './updated.tsx'

/** The columns in their order, before and after the tags. */
export const COLUMNS_BEFORE_TAGS = [
  nameColumn,
  statusColumn,
  teamStatusColumn,
  kindColumn,
  mentionsColumn,
  customersColumn,
  revenueColumn,
  trendColumn,
] as const
/** The columns to the right of the tags. */
export const COLUMNS_AFTER_TAGS = [updatedColumn] as const
export const COLUMNS = [...COLUMNS_BEFORE_TAGS, ...COLUMNS_AFTER_TAGS] as const

type FixedColumn = (typeof COLUMNS)[number]
/** A column other than a tag. */
export type FixedColumnId = FixedColumn['id']
/** The columns that are not shown until someone chooses them. */
export const HIDDEN_AT_FIRST: ReadonlySet<string> = new Set([
  teamStatusColumn.id,
  kindColumn.id,
  customersColumn.id,
  revenueColumn.id,
])

/** A column that a person can hide. */
export type HideableColumnId = Extract<FixedColumn, { hideable: true }>['id']

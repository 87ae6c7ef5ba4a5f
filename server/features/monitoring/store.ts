import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { queueFigures } from '../../platform/queue/figures.ts'

/** A figure of the whole installation. `kind`: of a job. `value` is null where there is nothing to measure. */
export type FigureRow = {
  figure: 'jobs' | 'worker' | 'ungrouped' | 'syncs'
  kind: string
  state: string
  value: number | null
}

/** All figures that the database holds, over all workspaces, in one query. Outside of any workspace. */
export async function readFigures(tx: Tx): Promise<FigureRow[]> {
  const { rows } = await sql<FigureRow>`
    select figure, '' as kind, label as state, value from monitoring_figures()
    union all (${queueFigures})`.execute(tx)
  return rows
}

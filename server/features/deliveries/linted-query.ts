import { sql } from 'kysely'

export const one = sql`select 1`
export const two = 'select id from delivery'

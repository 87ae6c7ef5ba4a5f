import { type Kysely, sql } from 'kysely'

export const write = (id: string) => sql`update insight set name = '' where id = ${id}`
export const read = sql<{ id: string }>`select id from delivery join connection on true`
export const build = (db: Kysely<{ statement: { id: string } }>) => db.deleteFrom('statement')
export const text = (client: { query(text: string): unknown }) => client.query('delete from workspace')

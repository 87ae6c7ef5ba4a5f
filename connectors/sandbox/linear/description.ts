import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { buildSchema, type GraphQLSchema } from 'graphql'

function findSchema(): GraphQLSchema | null {
  for (let folder = import.meta.dirname; ; folder = path.dirname(folder)) {
    const file = path.join(folder, 'shared/specs/providers/linear.schema.graphql')
    if (existsSync(file)) return buildSchema(readFileSync(file, 'utf8'))
    if (folder === path.dirname(folder)) return null
  }
}

/** Linear's official schema, if someone keeps it beside the project; it is not part of it. Null: it is not there. */
export const officialSchema = findSchema()

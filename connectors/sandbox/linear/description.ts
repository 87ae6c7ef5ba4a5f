import { buildSchema } from 'graphql'
import { officialText } from '../official.ts'

const text = officialText('linear.schema.graphql')

/** Linear's official schema. Null: it is not beside the project. */
export const officialSchema = text === null ? null : buildSchema(text)

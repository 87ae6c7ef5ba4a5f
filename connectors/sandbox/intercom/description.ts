import { Ajv, type ValidateFunction } from 'ajv'

type Json = Record<string, unknown>
type Parameter = { name: string; in: string; required?: boolean; schema?: Json }
type Operation = { parameters?: Parameter[]; requestBody?: Json; responses: Record<string, Json> }
type Document = { paths: Record<string, Record<string, unknown>>; components: Json }

type Called = { method: string; template: string; version: string | null; json: unknown }
type Answered = { method: string; template: string; status: number; answer: unknown }

/** An official description of an API (OpenAPI 3.0). An empty list: it matches. Null: the call is not described. */
type Description = {
  judgeCall(call: Called): string[] | null
  judgeAnswer(call: Answered): string[] | null
}

/** Reads a description that was parsed from JSON. */
export function readDescription(value: unknown): Description {
  const { paths, components: given } = value as Document
  const components = withNull(given)
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true, validateSchema: false })
  const compiled = new Map<string, ValidateFunction>()
  const validator = (key: string, schema: unknown): ValidateFunction => {
    const known = compiled.get(key)
    if (known) return known
    const made = ajv.compile({ allOf: [withNull(schema)], components })
    compiled.set(key, made)
    return made
  }
  const judge = (key: string, schema: unknown, body: unknown): string[] => {
    const validate = validator(key, schema)
    if (validate(body)) return []
    return (validate.errors ?? []).map(({ instancePath, message }) => {
      const where = instancePath.replace(/\/\d+/g, '/*')
      return `${key}${where} ${message ?? 'does not match'}`
    })
  }
  const operationOf = (method: string, template: string) =>
    paths[template]?.[method.toLowerCase()] as Operation | undefined
  return {
    judgeCall({ method, template, version, json }) {
      const operation = operationOf(method, template)
      if (!operation) return null
      const key = `${method} ${template}`
      const header = operation.parameters?.find((one) => one.in === 'header' && one.name === 'Intercom-Version')
      const schema = contentOf(operation.requestBody)
      return [
        ...(header?.schema ? judge(`${key} version`, header.schema, version) : []),
        ...(schema ? judge(`${key} request`, schema, json) : json === null ? [] : [`${key} has no body`]),
      ]
    },
    judgeAnswer({ method, template, status, answer }) {
      const operation = operationOf(method, template)
      if (!operation) return null
      const key = `${method} ${template} ${status}`
      const response = operation.responses[String(status)]
      if (!response) return [`${key} is not described`]
      const schema = contentOf(response)
      if (!schema) return answer === null ? [] : [`${key} has no body`]
      return judge(key, schema, answer)
    },
  }
}

function contentOf(part: Json | undefined): unknown {
  const content = part?.content as Record<string, { schema?: unknown }> | undefined
  return content?.['application/json']?.schema
}

/** `nullable` as JSON Schema has it: Ajv knows the word only beside a single `type`. Examples are left out. */
function withNull(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withNull)
  if (typeof schema !== 'object' || schema === null) return schema
  const { nullable, example: _, examples: __, ...rest } = schema as Json
  const copy = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withNull(value)]))
  // A property may have this name, too: then it is a schema.
  if (typeof nullable === 'object') return { ...copy, nullable: withNull(nullable) }
  return nullable === true ? { anyOf: [{ type: 'null' }, copy] } : copy
}

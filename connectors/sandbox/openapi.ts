import { Ajv, type ValidateFunction } from 'ajv'

type Json = Record<string, unknown>
type Parameter = { $ref?: string; name: string; in: string; required?: boolean; schema?: Json }
type Operation = { parameters?: Parameter[]; requestBody?: Json; responses: Record<string, Json> }
type Document = {
  paths: Record<string, Record<string, unknown> & { parameters?: Parameter[] }>
  components: { parameters?: Record<string, Parameter> }
}

/** How values of these types are written in an address. */
const FORMS: Readonly<Record<string, RegExp>> = {
  integer: /^-?\d+$/,
  number: /^-?\d+(\.\d+)?$/,
  boolean: /^(true|false|0|1)$/,
}

/** An official description of an API (OpenAPI 3.0 or 3.1). An empty list: it matches. Null: the call is not described. */
export type Description = {
  judgeCall(call: { method: string; template: string; query: Record<string, string>; json: unknown }): string[] | null
  judgeAnswer(call: { method: string; template: string; status: number; answer: unknown }): string[] | null
}

/** Reads a description that was parsed from JSON. */
export function readDescription(value: unknown): Description {
  const document = value as Document
  const components = withNull(document.components)
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true, validateSchema: false })
  const compiled = new Map<string, ValidateFunction>()
  const validator = (key: string, schema: Json): ValidateFunction => {
    const known = compiled.get(key)
    if (known) return known
    const made = ajv.compile({ ...(withNull(schema) as Json), components })
    compiled.set(key, made)
    return made
  }
  const judge = (key: string, schema: unknown, body: unknown): string[] => {
    const validate = validator(key, schema as Json)
    if (validate(body)) return []
    return (validate.errors ?? []).map(({ instancePath, message }) => {
      const where = instancePath.replace(/\/\d+/g, '/*')
      return `${key}${where} ${message ?? 'does not match'}`
    })
  }
  const resolve = (parameter: Parameter): Parameter =>
    document.components.parameters?.[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter
  const operationOf = (method: string, template: string) => {
    const path = document.paths[template]
    const operation = path?.[method.toLowerCase()] as Operation | undefined
    return operation ? { operation, shared: path?.parameters ?? [] } : null
  }
  return {
    judgeCall({ method, template, query, json }) {
      const found = operationOf(method, template)
      if (!found) return null
      const { operation, shared } = found
      const key = `${method} ${template}`
      const parameters = [...shared, ...(operation.parameters ?? [])].map(resolve).filter((one) => one.in === 'query')
      const names = new Set(parameters.map(({ name }) => name))
      const unknown = Object.keys(query).filter((name) => !names.has(name))
      const lacking = parameters.filter(({ name, required }) => required && !(name in query)).map(({ name }) => name)
      const wrong = parameters.filter(
        ({ name, schema }) => name in query && FORMS[String(schema?.type)]?.test(query[name] ?? '') === false,
      )
      const excluded = parameters.filter(({ name, schema }) => {
        const values = schema?.enum
        return name in query && Array.isArray(values) && !values.map(String).includes(query[name] ?? '')
      })
      const schema = contentOf(operation.requestBody)
      return [
        ...unknown.map((name) => `${key} has no parameter ${name}`),
        ...lacking.map((name) => `${key} needs ${name}`),
        ...wrong.map(({ name, schema }) => `${key}: ${name} is no ${String(schema?.type)}`),
        ...excluded.map(({ name }) => `${key}: ${name} is not one of its values`),
        ...(schema ? judge(`${key} request`, schema, json) : json === null ? [] : [`${key} has no body`]),
      ]
    },
    judgeAnswer({ method, template, status, answer }) {
      const found = operationOf(method, template)
      if (!found) return null
      const key = `${method} ${template} ${status}`
      const response = found.operation.responses[String(status)]
      if (!response) return [`${key} is not described`]
      const schema = contentOf(response)
      if (!schema) return answer === null ? [] : [`${key} has no body`]
      return judge(key, schema, answer)
    },
  }
}

/** The schema of the JSON of a body; without one, that of another type whose fields are logged as JSON, such as a form or HAL. */
function contentOf(part: Json | undefined): unknown {
  const content = (part?.content ?? {}) as Record<string, { schema?: unknown }>
  const other = Object.keys(content).find((type) => /\+json$|x-www-form-urlencoded$/.test(type))
  return content['application/json']?.schema ?? content[other ?? '']?.schema
}

/** `nullable` as JSON Schema has it where there is no `type` beside it: Ajv refuses it there. */
function withNull(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withNull)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withNull(value)]))
  if (typeof copy.nullable !== 'boolean' || 'type' in copy) return copy
  const { nullable, ...rest } = copy
  return nullable ? { anyOf: [{ type: 'null' }, rest] } : rest
}

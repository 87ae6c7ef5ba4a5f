type Schema = { readonly [key: string]: unknown }
type Document = { paths: Record<string, Record<string, Schema>>; components: Record<string, unknown> }

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An official description of an API (OpenAPI 3.0), as far as Slack's needs it. */
export type Description = {
  /** Why this call does not match it, or an empty list. */
  judgeCall(method: string, verb: string, values: Readonly<Record<string, string>>): string[]
  /** Why this response does not match it. */
  judgeAnswer(method: string, answer: unknown): string[]
}

/** Reads a description that was parsed from JSON. */
export function readDescription(document: unknown): Description {
  const { paths, components } = document as Document
  const resolve = (schema: Schema): Schema => {
    const path = typeof schema.$ref === 'string' ? schema.$ref.split('/').slice(2) : null
    if (path === null) return schema
    const found = path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), components)
    return resolve((found ?? {}) as Schema)
  }
  const judge = (given: Schema, value: unknown, where: string): string[] => {
    const schema = resolve(given)
    if (value === null && schema.nullable === true) return []
    for (const key of ['anyOf', 'oneOf']) {
      const options = schema[key]
      if (!Array.isArray(options)) continue
      const tries = options.map((option: Schema) => judge(option, value, where))
      if (tries.every((problems) => problems.length > 0)) return tries.toSorted((a, b) => a.length - b.length)[0] ?? []
    }
    const all = Array.isArray(schema.allOf) ? schema.allOf.flatMap((part: Schema) => judge(part, value, where)) : []
    return [...all, ...judgeType(schema, value, where), ...judgeParts(schema, value, where)]
  }
  const judgeParts = (schema: Schema, value: unknown, where: string): string[] => {
    if (Array.isArray(value)) {
      const { items } = schema
      return isObject(items) ? value.flatMap((item, index) => judge(items, item, `${where}[${index}]`)) : []
    }
    if (!isObject(value)) return []
    const properties = isObject(schema.properties) ? schema.properties : {}
    const missing = (Array.isArray(schema.required) ? schema.required : []).filter((name) => !(String(name) in value))
    const unknown =
      schema.additionalProperties === false ? Object.keys(value).filter((name) => !(name in properties)) : []
    return [
      ...missing.map((name) => `${where} lacks ${String(name)}`),
      ...unknown.map((name) => `${where} has ${name}, which is not described`),
      ...Object.entries(value).flatMap(([name, part]) =>
        isObject(properties[name]) ? judge(properties[name], part, `${where}.${name}`) : [],
      ),
    ]
  }
  return {
    judgeCall(method, verb, values) {
      const path = paths[`/${method}`]
      const operation = path?.[verb.toLowerCase()] ?? path?.get ?? path?.post
      if (!operation) return [`${method} is not described`]
      const parameters = [
        ...((Array.isArray(operation.parameters) ? operation.parameters : []) as Schema[]),
        ...formOf(operation),
      ]
      const names = parameters.map(({ name }) => String(name))
      const required = parameters.filter((parameter) => parameter.required === true).map(({ name }) => String(name))
      return [
        ...Object.keys(values).flatMap((name) => (names.includes(name) ? [] : [`${method} has no parameter ${name}`])),
        ...required.flatMap((name) => (name in values ? [] : [`${method} needs ${name}`])),
        ...parameters.flatMap(({ name, schema }) => judgeValue(method, String(name), schema, values[String(name)])),
      ]
    },
    judgeAnswer(method, answer) {
      const operation = Object.values(paths[`/${method}`] ?? {})[0]
      const schema = at(operation, 'responses', '200', 'content', 'application/json', 'schema')
      return isObject(schema) ? judge(schema, answer, method) : [`${method} is not described`]
    },
  }
}

/** The fields of a form in a request's body, as parameters. */
function formOf(operation: Schema): Schema[] {
  const schema = at(operation, 'requestBody', 'content', 'application/x-www-form-urlencoded', 'schema')
  if (!isObject(schema) || !isObject(schema.properties)) return []
  const required = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(schema.properties).map(([name, field]) => ({
    name,
    required: required.includes(name),
    schema: field,
  }))
}

const at = (value: unknown, ...keys: string[]): unknown =>
  keys.reduce((part, key) => (isObject(part) ? part[key] : undefined), value)

function judgeValue(method: string, name: string, schema: unknown, value: string | undefined): string[] {
  if (value === undefined || !isObject(schema)) return []
  const number = schema.type === 'number' || schema.type === 'integer'
  if (number && !/^\d+(\.\d+)?$/.test(value)) return [`${method}: ${name} is no number`]
  if (schema.type === 'boolean' && !/^(true|false|0|1)$/.test(value)) return [`${method}: ${name} is no yes or no`]
  return []
}

function judgeType(schema: Schema, value: unknown, where: string): string[] {
  const kinds: Record<string, (value: unknown) => boolean> = {
    object: isObject,
    array: Array.isArray,
    string: (text) => typeof text === 'string',
    number: (number) => typeof number === 'number',
    integer: Number.isInteger,
    boolean: (yes) => typeof yes === 'boolean',
  }
  const { type, pattern } = schema
  if (typeof type === 'string' && kinds[type] && !kinds[type](value)) return [`${where} is not of type ${type}`]
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) return [`${where} is none of the values described`]
  const matches = typeof pattern !== 'string' || typeof value !== 'string' || new RegExp(pattern).test(value)
  return matches ? [] : [`${where} does not fit ${String(pattern)}`]
}

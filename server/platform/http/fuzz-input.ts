import type { Route } from '@groundswell/contract/route.ts'
import fc from 'fast-check'
import * as z from 'zod/mini'

/** One request to make: with or without a token, and with a body of bytes or none. */
export type Attempt = {
  url: string
  bearer: 'good' | 'none' | 'bad' | 'broken'
  contentType: string | null
  payload: Uint8Array | null
}

type JsonSchema = {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}

const MAX_LENGTH = 300

const hostileText = fc.constantFrom(
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\u202etxt',
  "'; drop table account; --",
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '%00',
  '%zz',
  '{{7*7}}',
  'NaN',
  '-1',
  '1e400',
  '99999999999999999999',
  'ＡＢＣ',
  '💥'.repeat(50),
  'x'.repeat(20_000),
  '00000000-0000-0000-0000-000000000000',
)

const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(null, true, -0, 1e308, -1, 0.5, 2 ** 53, [], {}),
  fc.constant(nested(200)),
)

/** Values by the name of the field that they are for. */
export type Known = Record<string, string | readonly (string | number)[]>

/** Requests that fit the schemas of a route, with known values in their places: a caller who makes no mistake. */
export function rightAttemptOf(route: Route, known: Known): fc.Arbitrary<Attempt> {
  const part = (schema: z.ZodMiniType | undefined) =>
    schema ? (rightValueOf(schemaOf(schema), known) as fc.Arbitrary<Record<string, unknown>>) : fc.constant({})
  const body = route.body ? part(route.body).map(asJson) : route.raw ? table : fc.constant(NOTHING)
  return fc.tuple(part(route.params), part(route.query), body).map(([inPath, inQuery, sent]) => ({
    url: urlOf(route.path, inPath, inQuery),
    bearer: 'good' as const,
    ...(route.method === 'GET' ? NOTHING : sent),
  }))
}

/** Requests to a route: mostly correct in all but one respect, since a request that is wrong everywhere is refused immediately. */
export function attemptOf(route: Route, known: Known): fc.Arbitrary<Attempt> {
  const params = route.params ? nearly(schemaOf(route.params), known) : fc.constant({})
  const query = fc.oneof(
    { weight: 4, arbitrary: route.query ? nearly(schemaOf(route.query), known) : fc.constant({}) },
    { weight: 1, arbitrary: fc.dictionary(hostileText, hostileText, { maxKeys: 3 }) },
  )
  const bearer = fc.oneof(
    { weight: 12, arbitrary: fc.constant('good' as const) },
    { weight: 1, arbitrary: fc.constantFrom('none' as const, 'bad' as const, 'broken' as const) },
  )
  return fc.tuple(params, query, bearer, bodyOf(route, known)).map(([inPath, inQuery, whose, body]) => ({
    url: urlOf(route.path, inPath, inQuery),
    bearer: whose,
    ...body,
  }))
}

type Body = Pick<Attempt, 'contentType' | 'payload'>

const NOTHING: Body = { contentType: null, payload: null }
const bytes = (text: string) => new TextEncoder().encode(text)
const asJson = (value: unknown): Body => ({
  contentType: 'application/json',
  payload: bytes(JSON.stringify(value) ?? ''),
})

/** A table of one column that matters, as a file. */
const table: fc.Arbitrary<Body> = fc.array(fc.tuple(fc.string(), hostileText), { maxLength: 20 }).map((rows) => ({
  contentType: 'text/csv',
  payload: bytes(['id,text', ...rows.map((row) => row.join(','))].join('\n')),
}))

function bodyOf(route: Route, known: Known): fc.Arbitrary<Body> {
  const nothing = fc.constantFrom(NOTHING, { contentType: 'application/json', payload: null })
  if (route.method === 'GET') return nothing
  const junk = fc.tuple(
    fc.constantFrom('application/json', 'text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded', 'ü'),
    fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom('{', '[1,', '{"__proto__":{"a":1}}', 'null', '"').map(bytes),
    ),
  )
  const broken = junk.map(([contentType, payload]) => ({ contentType, payload }))
  if (route.raw) return fc.oneof(nothing, broken, table)
  const right = route.body ? nearly(schemaOf(route.body), known).map(asJson) : nothing
  return fc.oneof(
    { weight: 8, arbitrary: right },
    { weight: 1, arbitrary: hostileValue.map(asJson) },
    { weight: 1, arbitrary: broken },
    { weight: 1, arbitrary: nothing },
  )
}

/** Values of a schema; known values are never replaced. */
function rightValueOf(schema: JsonSchema, known: Known): fc.Arbitrary<unknown> {
  return valueOf(schema, known, '', 0)
}

/** Values of an object schema, sometimes with one of them replaced, left out or added. */
function nearly(schema: JsonSchema, known: Known): fc.Arbitrary<Record<string, unknown>> {
  const right = valueOf(schema, known) as fc.Arbitrary<Record<string, unknown>>
  const names = Object.keys(schema.properties ?? {})
  const change = fc.tuple(
    fc.constantFrom(...names, 'extra', '__proto__'),
    fc.oneof(hostileValue, fc.constant(undefined)),
  )
  return fc.oneof(
    { weight: 3, arbitrary: right },
    { weight: 2, arbitrary: fc.tuple(right, change).map(([value, [name, other]]) => ({ ...value, [name]: other })) },
  )
}

/** `spoilt`: how often a hostile text takes the place of a known value, against three times that it does not. */
function valueOf(schema: JsonSchema, known: Known, name = '', spoilt = 1): fc.Arbitrary<unknown> {
  const given = known[name]
  if (given !== undefined) {
    const right = schema.type === 'integer' && typeof given === 'string' ? Number(given) : given
    return fc.oneof({ weight: 3, arbitrary: fc.constant(right) }, { weight: spoilt, arbitrary: hostileText })
  }
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const either = schema.anyOf ?? schema.oneOf
  if (either) return fc.oneof(...either.map((one) => valueOf(one, known, '', spoilt)))
  switch (schema.type ?? 'anything') {
    case 'object':
      return objectOf(schema, known, spoilt)
    case 'array':
      return fc.array(valueOf(schema.items ?? {}, known, '', spoilt), { maxLength: 5 })
    case 'string':
      return textOf(schema)
    case 'integer':
    case 'number':
      return fc.integer({ min: clamp(schema.minimum ?? -5), max: clamp(schema.maximum ?? 50) })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 2 }))
  }
}

function objectOf(schema: JsonSchema, known: Known, spoilt: number): fc.Arbitrary<Record<string, unknown>> {
  const entries = Object.entries(schema.properties ?? {})
  if (entries.length === 0 && schema.additionalProperties) {
    const names = Object.keys(known)
    const values = fc.dictionary(fc.string(), valueOf(asSchema(schema.additionalProperties), {}, '', spoilt), {
      maxKeys: 4,
    })
    return fc.tuple(values, fc.subarray(names)).map(([others, some]) => ({
      ...others,
      ...Object.fromEntries(some.map((one) => [one, known[one]])),
    }))
  }
  const model = Object.fromEntries(entries.map(([name, one]) => [name, valueOf(one, known, name, spoilt)]))
  return fc.record(model, { requiredKeys: schema.required ?? [] })
}

function textOf(schema: JsonSchema): fc.Arbitrary<string> {
  if (schema.format === 'uuid') return fc.uuid()
  if (schema.pattern?.includes('@')) return fc.emailAddress()
  if (schema.pattern?.includes('a-z0-9')) return fc.stringMatching(/^[a-z0-9-]{1,40}$/)
  if (schema.pattern?.includes(':')) return fc.stringMatching(new RegExp(schema.pattern))
  const minLength = Math.min(schema.minLength ?? 0, MAX_LENGTH)
  return fc.string({ minLength, maxLength: Math.min(schema.maxLength ?? MAX_LENGTH, MAX_LENGTH), unit: 'grapheme' })
}

function urlOf(path: string, params: Record<string, unknown>, query: Record<string, unknown>): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(params[name] ?? ''))
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  return search === '' ? filled : `${filled}?${search}`
}

/** Percent signs are sometimes left bare, so that broken escapes arrive too. */
function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.includes('%') ? text.replaceAll(/[^%\w]/g, '_') : encodeURIComponent(text.toWellFormed())
}

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = [value]
  return value
}

function asSchema(schema: JsonSchema | boolean): JsonSchema {
  return typeof schema === 'boolean' ? {} : schema
}

function clamp(value: number): number {
  return Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, value))
}

function schemaOf(schema: z.ZodMiniType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
}

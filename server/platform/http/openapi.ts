import { ErrorBody, type ErrorCode, errorStatus } from '@groundswell/contract/errors.ts'
import type { Example } from '@groundswell/contract/examples/example.ts'
import type { KeyScope, Route } from '@groundswell/contract/route.ts'
import * as z from 'zod/mini'
import { errorExamples } from './error-examples.ts'

type Json = Record<string, unknown>

const VERSION = '1'

/** The calls that a key with a scope may make, and those that none may. */
const TAGS: Readonly<Record<KeyScope | 'no key', string>> = {
  read: 'Calls of API keys with the scope `read`',
  'feedback:write': 'Calls of API keys with the scope `feedback:write`',
  'insights:write': 'Calls of API keys with the scope `insights:write`',
  'no key': 'Calls that no API key may make: those of the web app',
}

/** The OpenAPI 3.1 document of the routes: parameters, bodies, replies, and every named error of each call, with examples. */
export function openApiDocument(routes: readonly Route[], examples: readonly Example[] = []): Json {
  const shown = new Map(examples.map((example) => [example.route.name, example]))
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = paths[route.path] ?? {}
    path[route.method.toLowerCase()] = operation(route, shown.get(route.name))
    paths[route.path] = path
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Groundswell',
      version: VERSION,
      description: 'Every reply that is not 2xx has the body Error; `code` says which error it is.',
    },
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { Error: schemaOf(ErrorBody, 'output') },
      examples: Object.fromEntries(errorExamples.map((value) => [value.code, { value }])),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, from Settings › Developers, or a sign-in.',
        },
      },
    },
  }
}

function operation(route: Route, example: Example | undefined): Json {
  const parameters = [
    ...parametersOf('path', route.params, example?.params),
    ...parametersOf('query', route.query, example?.query),
  ]
  const reply = { schema: schemaOf(route.reply, 'output'), ...(example ? { example: example.reply } : {}) }
  return {
    operationId: route.name,
    summary: route.summary,
    tags: [route.scope ?? 'no key'],
    security: route.access === 'public' ? [] : [{ bearer: route.scope ? [route.scope] : [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...bodyOf(route, example),
    responses: {
      200: { description: 'Done', content: { 'application/json': reply } },
      ...errorsOf(route),
    },
  }
}

function bodyOf(route: Route, example: Example | undefined): Json {
  if (route.raw) {
    return { requestBody: { required: true, content: { '*/*': { schema: { type: 'string', format: 'binary' } } } } }
  }
  if (!route.body) return {}
  const required = !route.body.safeParse(undefined).success
  const content = { schema: schemaOf(route.body, 'input'), ...(example ? { example: example.body } : {}) }
  return { requestBody: { required, content: { 'application/json': content } } }
}

function parametersOf(where: 'path' | 'query', schema: z.ZodMiniType | undefined, example: unknown): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  const shown = (example ?? {}) as Json
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: property,
    ...(name in shown ? { example: shown[name] } : {}),
  }))
}

/** Access by which nobody who is signed in is refused. */
const ANYONE: ReadonlySet<Route['access']> = new Set(['public', 'person', 'viewer'])

/** Several errors may share a status; OpenAPI has one response per status, so their codes are listed in it. */
function errorsOf(route: Route): Json {
  const codes = new Set<ErrorCode>([...route.errors, 'internal', 'not_ready'])
  if (route.access !== 'public') codes.add('unauthorized')
  if (!ANYONE.has(route.access) || route.scope) codes.add('forbidden')
  if (route.access !== 'public' && !route.beforeSecondFactor) codes.add('workspace_changed')
  if (route.scope) codes.add('too_many_requests')
  if (route.body) codes.add('unsupported_media_type').add('payload_too_large')
  const byStatus = Map.groupBy(codes, (code) => errorStatus[code])
  return Object.fromEntries(
    [...byStatus].map(([status, named]) => [
      status,
      {
        description: named.join(', '),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries(named.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
          },
        },
      },
    ]),
  )
}

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return rest
}

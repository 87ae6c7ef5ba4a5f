import { ErrorBody, type ErrorCode, errorStatus } from '@groundswell/contract/errors.ts'
import type { Route } from '@groundswell/contract/route.ts'
import * as z from 'zod/mini'

type Json = Record<string, unknown>

const VERSION = '1'

/** The OpenAPI 3.1 document of the routes: parameters, bodies, replies, and every named error of each call. */
export function openApiDocument(routes: readonly Route[]): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = paths[route.path] ?? {}
    path[route.method.toLowerCase()] = operation(route)
    paths[route.path] = path
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Groundswell',
      version: VERSION,
      description: 'Every answer that is not 2xx has the body Error; `code` says which one it is.',
    },
    paths,
    components: {
      schemas: { Error: schemaOf(ErrorBody, 'output') },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  }
}

function operation(route: Route): Json {
  const parameters = [...parametersOf('path', route.params), ...parametersOf('query', route.query)]
  return {
    operationId: route.name,
    summary: route.summary,
    security: route.access === 'public' ? [] : [{ bearer: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...bodyOf(route),
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema: schemaOf(route.reply, 'output') } } },
      ...errorsOf(route),
    },
  }
}

function bodyOf(route: Route): Json {
  if (route.raw) {
    return { requestBody: { required: true, content: { '*/*': { schema: { type: 'string', format: 'binary' } } } } }
  }
  if (!route.body) return {}
  const required = !route.body.safeParse(undefined).success
  return { requestBody: { required, content: { 'application/json': { schema: schemaOf(route.body, 'input') } } } }
}

function parametersOf(where: 'path' | 'query', schema: z.ZodMiniType | undefined): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: property,
  }))
}

/** Whoever may call is not refused by role. */
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
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  )
}

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return rest
}

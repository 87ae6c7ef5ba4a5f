import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Description, readDescription } from '../openapi.ts'

type Json = Record<string, unknown>
type Media = { content?: Record<string, { schema?: Json }> }
type Operation = {
  parameters?: { name?: string; 'x-ms-required'?: boolean }[]
  requestBody?: Media & { $ref?: string }
  responses?: Record<string, Media>
}

const FILES = ['core', 'work-items', 'hooks'].map((part) => `azure-${part}.openapi.json`)

function findFolder(): string | null {
  for (let folder = import.meta.dirname; ; folder = path.dirname(folder)) {
    const specs = path.join(folder, 'shared/specs/providers')
    if (FILES.every((file) => existsSync(path.join(specs, file)))) return specs
    if (folder === path.dirname(folder)) return null
  }
}

/**
 * Reads a description of Azure DevOps: bodies of every media type, also ones that are referred to, lists as they are sent,
 * `{ count, value }`, which the description leaves out, and paths without a project where it is optional.
 */
export function readAzureDescription(value: unknown): Description {
  const document = structuredClone(value) as {
    paths: Record<string, Record<string, Operation>>
    components: { requestBodies?: Record<string, Media> }
  }
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const { requestBody, responses = {} } = operation
    const named = requestBody?.$ref?.split('/').at(-1)
    const body = named === undefined ? requestBody : document.components.requestBodies?.[named]
    if (body) operation.requestBody = asJson(body)
    for (const [status, response] of Object.entries(responses)) responses[status] = withEnvelope(asJson(response))
  }
  for (const [template, methods] of Object.entries(document.paths)) {
    const optional = Object.entries(methods).filter(([, { parameters = [] }]) =>
      parameters.some((one) => one.name === 'project' && one['x-ms-required'] === false),
    )
    const short = template.replace('/{project}/', '/')
    if (optional.length > 0) document.paths[short] = { ...Object.fromEntries(optional), ...document.paths[short] }
  }
  return readDescription(document)
}

function asJson(part: Media): Media {
  const [media] = Object.values(part.content ?? {})
  return media ? { ...part, content: { 'application/json': media } } : part
}

function withEnvelope(part: Media): Media {
  const schema = part.content?.['application/json']?.schema
  if (schema?.['type'] !== 'array') return part
  const envelope = {
    type: 'object',
    required: ['count', 'value'],
    properties: { count: { type: 'integer' }, value: schema },
  }
  return { ...part, content: { 'application/json': { schema: envelope } } }
}

function findDescriptions(): readonly Description[] | null {
  const folder = findFolder()
  if (folder === null) return null
  return FILES.map((file) => readAzureDescription(JSON.parse(readFileSync(path.join(folder, file), 'utf8'))))
}

/** The official descriptions of Azure DevOps, if someone keeps them beside the project; they are not part of it. Null: not there. */
export const officialDescriptions = findDescriptions()

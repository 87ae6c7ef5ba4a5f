import { officialDescription } from '../official.ts'
import { type Description, readDescription } from '../openapi.ts'

type Json = Record<string, unknown>
type Media = { content?: Record<string, { schema?: Json }> }
type Operation = {
  parameters?: { name?: string; 'x-ms-required'?: boolean }[]
  requestBody?: Media & { $ref?: string }
  responses?: Record<string, Media>
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

/** Azure DevOps' official descriptions; each call is in one of them. Null: they are not beside the project. */
export const officialAzureDescription = combined(
  ['core', 'work-items', 'hooks'].map((part) =>
    officialDescription(`azure-${part}.openapi.json`, readAzureDescription),
  ),
)

function combined(parts: readonly (Description | null)[]): Description | null {
  const all = parts.filter((part) => part !== null)
  if (all.length < parts.length) return null
  const first =
    <C>(judge: (part: Description, call: C) => string[] | null) =>
    (call: C) =>
      all.reduce<string[] | null>((found, part) => found ?? judge(part, call), null)
  return {
    judgeCall: first((part, call: Parameters<Description['judgeCall']>[0]) => part.judgeCall(call)),
    judgeAnswer: first((part, call: Parameters<Description['judgeAnswer']>[0]) => part.judgeAnswer(call)),
  }
}

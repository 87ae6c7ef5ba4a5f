import { type Description, readDescription } from '../openapi.ts'

type Part = Record<string, unknown> & { $ref?: string }
type Operation = { requestBody?: Part; responses?: Record<string, Part> }
type Document = {
  paths: Record<string, Record<string, Operation>>
  'x-webhooks'?: Record<string, { post: Operation }>
  components: { responses?: Record<string, Part> }
}

type GitHubDescription = Description & {
  /** What is wrong with an event, named as in the description: `issues-closed`. */
  judgeEvent(name: string, body: unknown): string[]
}

/** Reads GitHub's description, in which responses are references and `nullable` is used beyond what the validator knows. */
export function readGitHubDescription(value: unknown): GitHubDescription {
  const document = withNulls(value) as Document
  for (const operations of Object.values(document.paths)) {
    for (const { responses = {} } of Object.values(operations)) {
      for (const [status, part] of Object.entries(responses)) {
        const target = document.components.responses?.[part.$ref?.split('/').at(-1) ?? '']
        if (target) responses[status] = target
      }
    }
  }
  const events = document['x-webhooks'] ?? {}
  // An event is judged like an answer of an operation with its name.
  for (const [name, { post }] of Object.entries(events)) {
    document.paths[name] = { get: { responses: { '200': post.requestBody ?? {} } } }
  }
  const description = readDescription(document)
  return {
    ...description,
    judgeEvent(name, body) {
      const problems = description.judgeAnswer({ method: 'GET', template: name, status: 200, answer: body })
      return problems?.map((problem) => problem.replace(/^GET (.+?) 200/, '$1')) ?? [`${name} is not described`]
    },
  }
}

/** A copy in which `nullable` is an alternative where a schema has no type, and null is one of the values of a nullable enum. */
function withNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNulls)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, part]) => [name, withNulls(part)] as const)
  const { nullable, ...schema } = Object.fromEntries(entries) as Record<string, unknown>
  if (nullable !== true) return Object.fromEntries(entries)
  if (schema['type'] === undefined) return { anyOf: [schema, { type: 'null' }] }
  const { enum: values } = schema
  return { ...schema, nullable, ...(Array.isArray(values) ? { enum: [...new Set([...values, null])] } : {}) }
}

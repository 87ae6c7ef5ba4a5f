import { type Description as ByPath, readDescription as readByPath } from '../openapi.ts'

type Field = { name: string; in: 'query'; required: boolean; schema: unknown }
type Form = { required?: string[]; properties?: Record<string, unknown> }
type Operation = { parameters?: Field[]; requestBody?: { content?: Record<string, { schema?: Form }> } }

/** Slack’s official description: its calls by their method, whose values arrive in the address or in a form. */
export type Description = {
  /** Why this call does not match it, or an empty list. */
  judgeCall(method: string, verb: string, values: Readonly<Record<string, string>>): string[]
  /** Why this response does not match it. */
  judgeAnswer(method: string, answer: unknown): string[]
}

/** Reads a description that was parsed from JSON. A method takes GET and POST, whichever of them is described. */
export function readDescription(value: unknown): Description {
  const document = structuredClone(value) as { paths: Record<string, Record<string, Operation>> }
  for (const [path, operations] of Object.entries(document.paths)) {
    const taken = Object.entries(operations).map(([verb, operation]) => [verb, withFields(operation)] as const)
    const [first] = taken.map(([, operation]) => operation)
    document.paths[path] = { ...(first ? { get: first, post: first } : {}), ...Object.fromEntries(taken) }
  }
  const described: ByPath = readByPath(document)
  const unknown = (method: string) => [`${method} is not described`]
  return {
    judgeCall: (method, verb, values) =>
      described.judgeCall({ method: verb, template: `/${method}`, query: { ...values }, json: null }) ??
      unknown(method),
    judgeAnswer: (method, answer) =>
      described.judgeAnswer({ method: 'GET', template: `/${method}`, status: 200, answer }) ?? unknown(method),
  }
}

/** An operation whose parameters are all its values, those of its form too. */
function withFields({ parameters = [], requestBody, ...operation }: Operation): Operation {
  const { required = [], properties = {} } = requestBody?.content?.['application/x-www-form-urlencoded']?.schema ?? {}
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    schema,
  }))
  return { ...operation, parameters: [...parameters, ...fields].map((field) => ({ ...field, in: 'query' })) }
}

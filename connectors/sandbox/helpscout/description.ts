import { Ajv, type ValidateFunction } from 'ajv'

type Json = Record<string, unknown>
type Parameter = { name: string; in: string; required?: boolean; schema?: Json }
type Operation = { parameters?: Parameter[]; requestBody?: Json; responses: Record<string, Json> }
type Document = { paths: Record<string, Record<string, Operation>>; components: Json; webhooks?: Json }
type Call = { method: string; template: string; query: Record<string, string>; json: unknown }
type Answer = { method: string; template: string; status: number; answer: unknown }

/** A description of an API (OpenAPI 3.1). An empty list: it matches. Null: the call is not described. */
type Description = {
  judgeCall(call: Call): string[] | null
  judgeAnswer(answer: Answer): string[] | null
  /** The body of a request that the provider sends. */
  judgeEvent(name: string, body: unknown): string[] | null
}

/** Reads a description that was parsed from JSON. Media types are not compared: an API of HAL has its own. */
export function readDescription(value: unknown): Description {
  const document = value as Document
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true, validateSchema: false })
  const compiled = new Map<string, ValidateFunction>()
  const validator = (key: string, schema: Json): ValidateFunction => {
    const known = compiled.get(key)
    if (known) return known
    const made = ajv.compile({ ...schema, components: document.components })
    compiled.set(key, made)
    return made
  }
  const judge = (key: string, schema: Json, body: unknown): string[] => {
    const validate = validator(key, schema)
    if (validate(body)) return []
    return (validate.errors ?? []).map(({ instancePath, message }) => {
      const where = instancePath.replace(/\/\d+/g, '/*')
      return `${key}${where} ${message ?? 'does not match'}`
    })
  }
  const operationOf = (method: string, template: string) => document.paths[template]?.[method.toLowerCase()]
  return {
    judgeCall({ method, template, query, json }) {
      const operation = operationOf(method, template)
      if (!operation) return null
      const key = `${method} ${template}`
      const parameters = (operation.parameters ?? []).filter((one) => one.in === 'query')
      const names = new Set(parameters.map(({ name }) => name))
      const lacking = parameters.filter(({ name, required }) => required && !(name in query)).map(({ name }) => name)
      const schema = contentOf(operation.requestBody)
      return [
        ...Object.keys(query).flatMap((name) => (names.has(name) ? [] : [`${key} has no parameter ${name}`])),
        ...lacking.map((name) => `${key} needs ${name}`),
        ...parameters.flatMap(({ name, schema: own }) =>
          own && name in query ? judge(`${key}: ${name}`, own, typed(query[name] ?? '', own)) : [],
        ),
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
    judgeEvent(name, body) {
      const event = (document.webhooks?.[name] as Record<string, Operation> | undefined)?.post
      const schema = contentOf(event?.requestBody)
      return schema ? judge(`event ${name}`, schema, body) : null
    },
  }
}

/** A value of a query, which is text, as its schema has it. */
const typed = (value: string, schema: Json) =>
  schema.type === 'integer' && /^-?\d+$/.test(value) ? Number(value) : value

function contentOf(part: Json | undefined): Json | null {
  const content = Object.values((part?.content ?? {}) as Record<string, { schema?: Json }>)
  return content[0]?.schema ?? null
}

import {
  execute as executeBySchema,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  validate,
  valueFromASTUntyped,
} from 'graphql'

/** An error as Linear sends it. `code` is `extensions.code`. */
export class LinearError extends Error {
  readonly code: string
  readonly presented: string

  constructor(code: string, message: string, presented = message) {
    super(message)
    this.code = code
    this.presented = presented
  }
}

type Variables = Readonly<Record<string, unknown>>
export type Result = { data?: unknown; errors?: unknown[] }

const errorBody = (error: unknown) => {
  const { code, presented } =
    error instanceof LinearError ? error : { code: 'INTERNAL_SERVER_ERROR', presented: 'Something went wrong' }
  const message = error instanceof Error ? error.message : 'Something went wrong'
  return {
    message,
    extensions: { type: code.toLowerCase().replaceAll('_', ' '), code, userPresentableMessage: presented },
  }
}

const invalid = (message: string): Result => ({
  errors: [{ message, extensions: { type: 'graphql error', code: 'GRAPHQL_VALIDATION_FAILED' } }],
})

/**
 * Executes one operation on `root`, whose properties are values or functions of their arguments. With Linear's official schema,
 * graphql-js validates the operation, its variables and every value of the result; without it, the fields are read as they are.
 */
export async function execute(
  root: object,
  document: string,
  variables: Variables,
  schema: GraphQLSchema | null,
): Promise<Result> {
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(document)
  } catch {
    return { errors: [{ message: 'Syntax Error', extensions: { code: 'GRAPHQL_PARSE_FAILED' } }] }
  }
  if (schema) {
    const [problem] = validate(schema, parsed)
    if (problem) return invalid(problem.message)
    const result = await executeBySchema({ schema, document: parsed, rootValue: root, variableValues: variables })
    if (!result.errors) return { data: result.data }
    return { data: null, errors: result.errors.map((error) => errorOf(error.originalError ?? null, error.message)) }
  }
  const operation = parsed.definitions.find((one) => one.kind === Kind.OPERATION_DEFINITION)
  if (!operation) return invalid('There is no operation')
  try {
    return { data: await select(root, operation.selectionSet, withDefaults(operation, variables)) }
  } catch (error) {
    return { data: null, errors: [errorBody(error)] }
  }
}

/** What graphql-js itself refuses is an answer or a variable that the schema does not allow. */
const errorOf = (thrown: Error | null, message: string) =>
  thrown instanceof LinearError
    ? errorBody(thrown)
    : { message, extensions: { type: 'graphql error', code: 'GRAPHQL_VALIDATION_FAILED' } }

function withDefaults({ variableDefinitions = [] }: OperationDefinitionNode, variables: Variables): Variables {
  return Object.fromEntries(variableDefinitions.map(({ variable: { name } }) => [name.value, variables[name.value]]))
}

async function select(source: unknown, set: SelectionSetNode, variables: Variables): Promise<unknown> {
  if (source === null || source === undefined) return null
  if (Array.isArray(source)) return Promise.all(source.map((one) => select(one, set, variables)))
  const selected: Record<string, unknown> = {}
  for (const field of set.selections) {
    if (field.kind !== Kind.FIELD) throw new LinearError('GRAPHQL_VALIDATION_FAILED', 'Only fields are selected here')
    const value = await read(source, field, variables)
    selected[field.alias?.value ?? field.name.value] = field.selectionSet
      ? await select(value, field.selectionSet, variables)
      : (value ?? null)
  }
  return selected
}

function read(source: unknown, { name: { value: name }, arguments: given = [] }: FieldNode, variables: Variables) {
  const owner = source as Record<string, unknown>
  if (typeof source !== 'object' || source === null || !(name in source)) {
    throw new LinearError('GRAPHQL_VALIDATION_FAILED', `Cannot query field "${name}"`)
  }
  const member = owner[name]
  if (typeof member !== 'function') return member
  const args = Object.fromEntries(
    given.map((one) => [one.name.value, valueFromASTUntyped(one.value, { ...variables })]),
  )
  return (member as (args: unknown) => unknown).call(source, args)
}

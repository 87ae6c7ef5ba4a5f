/** An error as Azure DevOps sends it. */
export class AzureError extends Error {
  readonly status: number
  readonly typeKey: string

  constructor(status: number, typeKey: string, message: string) {
    super(message)
    this.status = status
    this.typeKey = typeKey
  }
}

export const noItem = (id: unknown) =>
  new AzureError(
    404,
    'WorkItemUnauthorizedAccessException',
    `TF401232: Work item ${String(id)} does not exist, or you do not have permissions to read it.`,
  )
export const noProject = () =>
  new AzureError(
    404,
    'ProjectDoesNotExistWithNameException',
    'TF200016: The following project does not exist: x. Verify that the name of the project is correct.',
  )
export const ruleError = (field: string, codes: string) =>
  new AzureError(400, 'RuleValidationException', `TF401320: Rule Error for field ${field}. Error code: ${codes}.`)

/** The body of an error. */
export const errorBody = ({ message, typeKey }: AzureError) => ({
  $id: '1',
  innerException: null,
  message,
  typeName: `Microsoft.Sandbox.${typeKey}`,
  typeKey,
  errorCode: 0,
  eventId: 3000,
})

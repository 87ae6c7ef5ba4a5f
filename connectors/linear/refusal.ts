import * as z from 'zod/mini'
import { type ConnectorFailure, type FailureOptions, Rejected } from '../kit/errors.ts'

/** Linear has no entity with an id that was sent, or the sign-in cannot see it. `entity` is Linear's type, such as `Team`. */
export class Missing extends Rejected {
  readonly entity: string

  constructor(entity: string, message: string, options: FailureOptions) {
    super(message, options)
    this.entity = entity
  }
}

/** The sign-in may not do this: a scope of it, or a right of its user, is missing. */
export class NotAllowed extends Rejected {}

type GraphqlError = { code: string | null; message: string; extensions: Readonly<Record<string, unknown>> }

const Details = z.object({
  userPresentableMessage: z.optional(z.string()),
  validationErrors: z.optional(z.array(z.object({ property: z.optional(z.string()) }))),
})

/** What is chosen on our side, by the type and by the field of Linear's input. */
const ENTITIES: Readonly<Record<string, string>> = {
  Issue: 'issue',
  Team: 'team',
  Project: 'project',
  IssueLabel: 'label',
  User: 'assignee',
  WorkflowState: 'status',
}
const FIELDS: Readonly<Record<string, string>> = {
  teamId: 'team',
  projectId: 'project',
  labelIds: 'labels',
  assigneeId: 'assignee',
  stateId: 'status',
  priority: 'priority',
  title: 'title',
  description: 'text',
}

/**
 * Linear's refusals in plain words; null for what a code identifies. Linear's own messages are matched but never repeated, because
 * they may contain the request's content.
 */
export function refusalOf(
  name: string,
  errors: readonly GraphqlError[],
  options: FailureOptions,
): ConnectorFailure | null {
  const decided = errors.some(({ code }) => /^(authentication.error|ratelimited)$/i.test(code ?? ''))
  if (decided) return null
  for (const error of errors) {
    const refusal = missing(error, options) ?? notAllowed(name, error, options) ?? invalid(error, options)
    if (refusal) return refusal
  }
  return null
}

function missing({ message, extensions }: GraphqlError, options: FailureOptions): Missing | null {
  const presented = Details.safeParse(extensions).data?.userPresentableMessage ?? ''
  const entity =
    /^Entity not found: ([A-Za-z]{1,40})\b/.exec(message)?.[1] ??
    /^Could not find referenced ([A-Za-z]{1,40})\./.exec(presented)?.[1]
  if (entity === undefined) return null
  const what = Object.hasOwn(ENTITIES, entity) ? ENTITIES[entity] : 'entry'
  return new Missing(
    entity,
    `The ${what} no longer exists in Linear, or the sign-in cannot see it. Check what is chosen for Linear`,
    options,
  )
}

function notAllowed(name: string, { code, message }: GraphqlError, options: FailureOptions): NotAllowed | null {
  const scope = /^Invalid scope: [`'"]?([a-z]{1,20}(?::[a-z]{1,20})?)[`'"]? required/i.exec(message)?.[1]
  if (scope !== undefined) {
    return new NotAllowed(`The sign-in at Linear lacks the scope ${scope}. Connect again and allow it`, options)
  }
  if (!/^forbidden$/i.test(code ?? '')) return null
  return new NotAllowed(`Linear does not let this sign-in do this (${name}). Check its permissions`, options)
}

function invalid({ code, message, extensions }: GraphqlError, options: FailureOptions): Rejected | null {
  if (!/^(input_error|invalid_input|bad_user_input|invalid input)$/i.test(code ?? '')) return null
  const properties = Details.safeParse(extensions).data?.validationErrors?.map(({ property }) => property ?? '') ?? []
  const named = [...properties, ...(message.match(/\b[a-z]+(?:Ids?)?\b/g) ?? [])]
  const field = named.find((word) => Object.hasOwn(FIELDS, word))
  if (field === undefined) return null
  return new Rejected(`Linear did not accept the ${FIELDS[field]}. Check what is chosen for Linear`, options)
}

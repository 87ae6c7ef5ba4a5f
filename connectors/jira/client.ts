import type * as z from 'zod/mini'
import type { Context, HttpRequest } from '../connector.ts'
import { AuthExpired, type ConnectorFailure, type FailureOptions, Rejected, Unavailable } from '../kit/errors.ts'
import { type JsonCall, jsonCall } from '../kit/http/json-call.ts'
import { JiraSecrets, settingsOf } from './manifest.ts'
import { ErrorReply } from './schema.ts'
import type { JiraSite } from './site.ts'

/** Jira refused a request. `fields` holds the ids of the fields that it did not accept. */
export class JiraRefusal extends Rejected {
  readonly status: number
  readonly fields: readonly string[]

  constructor(status: number, fields: readonly string[], message: string, options: FailureOptions) {
    super(message, options)
    this.status = status
    this.fields = fields
  }
}

/** The sign-in is valid, but was not given a scope: a renewed token does not have it either. */
export class ScopeMissing extends AuthExpired {}

/** 404 from something other than Jira, such as a site that is suspended: this says nothing about what was requested. */
export class SiteMissing extends Unavailable {}

type Call<T extends z.ZodMiniType> = {
  /** As in messages: no id, no path. */
  name: string
  /** After `/rest/api/3`. */
  path: string
  schema: T
  method?: HttpRequest['method']
  query?: JsonCall<T>['query']
  json?: unknown
  /** False where a response may contain what people wrote. Default: true. */
  ledger?: boolean
}

type FailedReply = Parameters<NonNullable<JsonCall<z.ZodMiniType>['failures']>>[0]

/** Sends one request to a site, once. Throws the four kinds, `JiraRefusal` among them. */
export async function call<T extends z.ZodMiniType>(
  context: Context,
  site: JiraSite,
  { name, path, schema, method = 'GET', query, json, ledger = true }: Call<T>,
): Promise<z.infer<T>> {
  const { data } = await jsonCall(context, {
    who: 'Jira',
    name,
    method,
    url: `${site.api}/rest/api/3${path}`,
    query,
    authorization: authorizationOf(context),
    ...(json === undefined ? {} : { body: { json } }),
    schema,
    failures: (reply) => failureOf(name, reply),
    ledger,
    secrets: Object.values(context.secrets),
  })
  return data
}

function authorizationOf(context: Context): string {
  const secrets = JiraSecrets.safeParse(context.secrets)
  if (!secrets.success) throw new Rejected('Jira is not set up: connect it again')
  if ('access_token' in secrets.data) return `Bearer ${secrets.data.access_token}`
  const settings = settingsOf(context)
  const email = 'email' in settings ? settings.email : ''
  return `Basic ${Buffer.from(`${email}:${secrets.data.api_token}`).toString('base64')}`
}

/** Jira answers as to an anonymous visitor, with status 200 and nothing in it, where it does not accept a token. */
const IS_ANONYMOUS = /AUTHENTICATED_FAILED|AUTHENTICATION_DENIED/

function failureOf(name: string, { response, body, options }: FailedReply): ConnectorFailure | null {
  const { status, headers } = response
  if (IS_ANONYMOUS.test(headers['x-seraph-loginreason'] ?? '')) {
    return new AuthExpired('Jira did not accept the credentials. Connect again', options)
  }
  if (status < 400 || status >= 500 || status === 408 || status === 429) return null
  if (status === 409) {
    return new Unavailable(`Jira answered 409 to ${name}: the issue was changed at the same time`, options)
  }
  const reply = ErrorReply.safeParse(body).data
  if (status === 401) {
    if (!/scope/i.test(reply?.message ?? '')) return null
    return new ScopeMissing(`The sign-in at Jira lacks a scope for ${name}. Add it and connect again`, options)
  }
  if (status === 404 && !reply?.errorMessages) {
    return new SiteMissing(`The site did not answer as Jira does to ${name} (404): it may be suspended`, options)
  }
  const fields = Object.keys(reply?.errors ?? {}).filter((field) => /^[A-Za-z0-9_]{1,60}$/.test(field))
  const message =
    status === 403
      ? `Jira does not let this sign-in do this (${name}). Check its permissions`
      : `Jira answered ${status} to ${name}: it refused the request`
  return new JiraRefusal(status, fields, message, options)
}

/** What Jira returns, or null where it has no such thing or the sign-in cannot see it. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof JiraRefusal && error.status === 404) return null
    throw error
  }
}

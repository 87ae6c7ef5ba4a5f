import * as z from 'zod/mini'
import type { HttpResponse } from '../connector.ts'
import { AuthExpired, type ConnectorFailure, type FailureOptions, Rejected } from '../kit/errors.ts'

/** What a request is about, in the words of ClickUp. */
export type Subject = 'workspace' | 'space' | 'folder' | 'list' | 'task' | 'comment' | 'webhook'

/** ClickUp has nothing with an id that was sent. */
export class Missing extends Rejected {}

/** The sign-in cannot see or change what an id belongs to. ClickUp reports some ids that do not exist in the same way. */
export class NoAccess extends Rejected {}

const Refusal = z.object({ err: z.nullish(z.string()), ECODE: z.nullish(z.string()) })

/** What ClickUp's messages mention, and what it is called here. */
const MENTIONED: readonly [RegExp, string][] = [
  [/custom field|field_id/i, 'a custom field'],
  [/status/i, 'the status'],
  [/assignee|user/i, 'the assignee'],
  [/priority/i, 'the priority'],
  [/\btags?\b/i, 'a tag'],
  [/\bname\b|title/i, 'the title'],
]

/**
 * ClickUp's refusals in plain words; null for what the status alone says. Its own messages are matched but never repeated, because
 * they may contain the request's content.
 */
export function refusalOf(
  subject: Subject | null,
  { status }: HttpResponse,
  body: unknown,
  options: FailureOptions,
): ConnectorFailure | null {
  const { err, ECODE } = Refusal.safeParse(body).data ?? {}
  const code = ECODE ?? ''
  if (status === 401 && !isAboutAccess(code)) return null
  const what = subject ?? 'account'
  if (status === 401 || status === 403) {
    return new NoAccess(
      `The sign-in at ClickUp may not use this ${what}. Check its permissions, or choose again`,
      options,
    )
  }
  // A 404 without ClickUp's own error is that of a proxy or of a wrong address: it says nothing about an id.
  if (status === 404 && (ECODE || err)) {
    return new Missing(`The ${what} no longer exists in ClickUp, or the sign-in cannot see it. Choose again`, options)
  }
  if (status !== 400 && status !== 422) return null
  const field = MENTIONED.find(([pattern]) => pattern.test(err ?? ''))?.[1]
  if (field === undefined) return null
  return new Rejected(`ClickUp did not accept ${field}. Check what is chosen for ClickUp`, options)
}

/**
 * With 401, ClickUp also reports workspaces that were not authorized and things that are out of reach. The numbers are those of its
 * page on common errors; all others are about the token.
 */
function isAboutAccess(code: string): boolean {
  if (code.startsWith('ACCESS_')) return true
  const number = Number(/^OAUTH_(\d{3})$/.exec(code)?.[1] ?? Number.NaN)
  return [23, 26, 27].includes(number) || (number >= 29 && number <= 45)
}

/** The sign-in no longer reaches the workspace that is chosen. */
export const lostWorkspace = (cause: unknown) =>
  new AuthExpired('The sign-in no longer has access to the workspace in ClickUp. Connect again and allow it', { cause })

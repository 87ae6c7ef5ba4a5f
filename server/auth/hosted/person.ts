import { ContractError } from '@groundswell/contract/errors.ts'
import { z } from 'zod'
import type { Services } from '../../platform/services.ts'
import { callProject } from './project.ts'

/** What the hosted project knows about a person beyond the access token. */
export type Person = {
  /** The address that the project has confirmed, in lower case; null while it is unconfirmed. */
  confirmedEmail: string | null
  hasSecondFactor: boolean
  wasInvited: boolean
}

const User = z.object({
  email: z.string().nullish(),
  email_confirmed_at: z.string().nullish(),
  invited_at: z.string().nullish(),
  factors: z.array(z.object({ status: z.string() })).nullish(),
})

/** The error codes that mean that the session is over. Any other is a failure. */
const OVER = new Set(['bad_jwt', 'session_not_found', 'session_expired', 'user_not_found', 'user_banned'])

/** Reads the person of a token from the hosted project. Null when the session is over there. Throws `not_ready`. */
export async function readPerson(services: Services, token: string): Promise<Person | null> {
  const answer = await callProject(services, '/user', { token })
  if (!answer.ok && OVER.has(answer.code)) return null
  const user = User.safeParse(answer.ok ? answer.body : null)
  if (!user.success) throw new ContractError('not_ready', 'The hosted sign-in service did not identify the user')
  const { email, email_confirmed_at, invited_at, factors } = user.data
  return {
    confirmedEmail: email && email_confirmed_at ? email.toLowerCase() : null,
    hasSecondFactor: (factors ?? []).some(({ status }) => status === 'verified'),
    wasInvited: Boolean(invited_at),
  }
}

const ProjectSettings = z.object({ mailer_autoconfirm: z.boolean() })

/**
 * True when the hosted project confirms addresses by mail. Otherwise "confirmed" means only that someone entered the address.
 * (`user_metadata` never counts: people can write `email_verified` there themselves.)
 */
export async function confirmsByMail(services: Services): Promise<boolean> {
  const answer = await callProject(services, '/settings')
  const settings = ProjectSettings.safeParse(answer.ok ? answer.body : null)
  return settings.success && !settings.data.mailer_autoconfirm
}

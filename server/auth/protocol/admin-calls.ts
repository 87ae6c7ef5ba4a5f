import { ContractError } from '@groundswell/contract/errors.ts'
import * as z from 'zod/mini'
import { inAccount, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { makeAccount } from '../account/create-account.ts'
import { removePerson } from '../account/delete-account.ts'
import { accountPage, findAccountById } from '../account/store.ts'
import { readUser, userJson } from '../account/user-json.ts'
import { removeFactor } from '../factors/remove.ts'
import { recordAudit } from '../record-audit.ts'
import { authBase } from '../site-url.ts'
import { changeByOperator } from './admin-change.ts'
import { type AuthCall, authCall, json } from './auth-call.ts'
import { AuthError } from './auth-error.ts'
import { nameIn, OperatorChange, withoutNulls } from './schemas.ts'
import { nameFrom, refuseWeak } from './sign-up-calls.ts'

const MAX_PER_PAGE = 1_000

const wholeNumber = z.optional(z.string().check(z.regex(/^\d{0,9}$/, 'must be a whole number')))
const Page = z.object({ page: wholeNumber, per_page: wholeNumber })
const User = z.object({ id: z.uuid('must be the id of a user') })
const Factor = z.object({ id: z.uuid('must be the id of a user'), factor: z.uuid('must be the id of a factor') })

/** Account management for an operator's program, with the token that `groundswell admin service-token` prints. */
export function adminCalls(services: Services): AuthCall[] {
  const { db } = services

  const list = authCall({ method: 'GET', path: '/admin/users', access: 'service', query: Page }, async ({ query }) => {
    const page = Math.max(1, Number(query.page || 1))
    const size = Math.min(MAX_PER_PAGE, Math.max(1, Number(query.per_page || 50)))
    const found = await withoutWorkspace(db.accounts, async (tx) => {
      const { rows, total } = await accountPage(tx, (page - 1) * size, size)
      const users = []
      for (const row of rows) users.push(await userJson(tx, row))
      return { users, total }
    })
    const last = Math.max(1, Math.ceil(found.total / size))
    const at = (number: number, rel: string) =>
      `<${authBase(services)}/admin/users?page=${number}&per_page=${size}>; rel="${rel}"`
    const link = [...(page < last ? [at(page + 1, 'next')] : []), at(last, 'last')].join(', ')
    return {
      ...json({ users: found.users, aud: 'authenticated' }),
      headers: { link, 'x-total-count': String(found.total) },
    }
  })

  const create = authCall(
    { method: 'POST', path: '/admin/users', access: 'service', body: OperatorChange },
    async ({ body, request }) => {
      const { email, password, user_metadata: userMetadata } = body
      if (!email) throw new AuthError('validation_failed', 'email: is missing')
      if (password) refuseWeak(password, email)
      const account = {
        email,
        password: password || null,
        name: nameIn(userMetadata) ?? nameFrom(email),
        confirmed: body.email_confirm === true,
        userMetadata: userMetadata ?? {},
        appMetadata: withoutNulls(body.app_metadata ?? {}),
      }
      const user = await makeAccount(
        services,
        account,
        async () => false,
        async (tx, { accountId, workspaceId }) => {
          const event = { at: services.now(), actorId: null, accountId, workspaceId, request }
          await recordAudit(tx, { ...event, action: 'account.created' })
          return readUser(tx, accountId)
        },
      ).catch((error: unknown) => {
        if (!(error instanceof ContractError) || error.code !== 'signup_refused') throw error
        throw new AuthError('email_exists', 'A user with this email address has already been registered')
      })
      return json(user)
    },
  )

  const get = authCall(
    { method: 'GET', path: '/admin/users/:id', access: 'service', params: User },
    async ({ params }) =>
      json(await withoutWorkspace(db.accounts, async (tx) => (await readUser(tx, params.id)) ?? unknownUser())),
  )

  const change = authCall(
    { method: 'PUT', path: '/admin/users/:id', access: 'service', params: User, body: OperatorChange },
    async ({ params, body, request }) => json(await changeByOperator(services, params.id, body, request)),
  )

  const remove = authCall(
    { method: 'DELETE', path: '/admin/users/:id', access: 'service', params: User },
    async ({ params, request }) => {
      await inAccount(db.accounts, params.id, async (tx) => {
        if (!(await findAccountById(tx, params.id))) unknownUser()
        await removePerson(services, tx, params.id, { actorId: null, request, at: services.now() })
      })
      return json({})
    },
  )

  const factors = authCall(
    { method: 'GET', path: '/admin/users/:id/factors', access: 'service', params: User },
    async ({ params }) => {
      const user = await withoutWorkspace(db.accounts, async (tx) => (await readUser(tx, params.id)) ?? unknownUser())
      return json(user.factors ?? [])
    },
  )

  const removeOne = authCall(
    { method: 'DELETE', path: '/admin/users/:id/factors/:factor', access: 'service', params: Factor },
    async ({ params, request }) => {
      await withoutWorkspace(db.accounts, async (tx) => {
        const at = services.now()
        if (!(await removeFactor(tx, params.id, params.factor, at))) {
          throw new AuthError('mfa_factor_not_found', 'There is no such factor')
        }
        await recordAudit(tx, { action: 'factor.removed', at, actorId: null, accountId: params.id, request })
      })
      return json({ id: params.factor })
    },
  )
  return [list, create, get, change, remove, factors, removeOne]
}

function unknownUser(): never {
  throw new AuthError('user_not_found', 'User not found', { status: 404 })
}

import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { readUser, userJson } from '../account/user-json.ts'
import { prepareTokenMail } from '../mail/mail-token.ts'
import { type AuthCall, authCall, json } from './auth-call.ts'
import { AuthError } from './auth-error.ts'
import { ChangeBody } from './bodies.ts'
import { changePerson } from './change-person.ts'
import { currentPerson, readCurrent, requireSecondFactor } from './current.ts'
import { spendMail } from './mail-limits.ts'
import { redirectTarget } from './redirects.ts'
import { RedirectQuery } from './schemas.ts'
import { refuseWeak } from './sign-up-calls.ts'

/** The calls for one's own account. */
export function userCalls(services: Services): AuthCall[] {
  const get = authCall({ method: 'GET', path: '/user', access: 'person', bySso: true }, async ({ person }) => {
    const user = await withoutWorkspace(services.db.accounts, async (tx) => {
      const { account } = await currentPerson(services, tx, person)
      return userJson(tx, account)
    })
    return json(user)
  })

  const put = authCall(
    { method: 'PUT', path: '/user', access: 'person', query: RedirectQuery, body: ChangeBody },
    async ({ person, body, query, request }) => {
      if (body.phone) throw new AuthError('phone_provider_disabled', 'Phone sign-in is disabled')
      const current = await readCurrent(services, person)
      requireSecondFactor(current)
      const password = body.password || null
      if (password !== null) refuseWeak(password, current.account.email, ...(body.email ? [body.email] : []))
      await changePerson(services, current, {
        email: body.email || null,
        password,
        data: body.data ?? null,
        proof: { currentPassword: body.current_password || null, nonce: body.nonce || null },
        redirectTo: redirectTarget(services, query.redirect_to, request.headers),
        codeChallenge: body.code_challenge ?? null,
        request,
      })
      return json(await withoutWorkspace(services.db.accounts, (tx) => readUser(tx, person.sub)))
    },
  )

  const reauthenticate = authCall(
    { method: 'GET', path: '/reauthenticate', access: 'person' },
    async ({ person, request }) => {
      const { account } = await readCurrent(services, person)
      await spendMail(services, `reauthentication ${account.email}`, request)
      const mail = {
        accountId: account.id,
        kind: 'reauthentication' as const,
        email: account.email,
        redirectTo: redirectTarget(services, undefined, {}),
      }
      const send = await withoutWorkspace(services.db.accounts, (tx) => prepareTokenMail(services, tx, mail))
      send()
      return json({})
    },
  )
  return [get, put, reauthenticate]
}

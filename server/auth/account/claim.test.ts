import { startOpenId } from '@groundswell/connectors/sandbox/index.ts'
import { sql } from 'kysely'
import { generate } from 'otplib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Config } from '../../platform/config/config.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { type ArrivedMail, mailServer } from '../../platform/mail/testing.ts'
import { duringTests } from '../../platform/testing.ts'
import { serviceToken } from '../keys/service-token.ts'
import { type AuthClient, type AuthServer, authServer, clientVersions } from '../testing.ts'

const THEIRS = 'password of the attacker'
const MINE = 'password of the owner'
const make = clientVersions[0][1]

let strict: AuthServer
let lenient: AuthServer
let mailless: AuthServer
let trusting: AuthServer
let people = 0

const post = duringTests(() => mailServer())
const provider = duringTests(() =>
  startOpenId({
    people: Array.from({ length: 60 }, (_, number) => ({
      sub: `owner-${number}`,
      email: `owner${number}@example.com`,
      emailVerified: true,
      name: `Owner ${number}`,
    })),
  }),
)

beforeAll(async () => {
  const google = { issuer: provider.url, clientId: provider.clientId, clientSecret: provider.clientSecret }
  const start = async (config: Partial<Config>) => {
    const server = await authServer({ google, ...config })
    // The first account would be the admin, whom the operator vouches for.
    await server.call('POST', '/api/auth/signup', {
      payload: { email: 'admin@example.com', password: MINE, name: 'Admin' },
    })
    return server
  }
  const smtp = { smtpUrl: post.url, mailFrom: 'us@example.com' }
  strict = await start({ ...smtp, authAutoconfirm: false })
  lenient = await start(smtp)
  mailless = await start({})
  trusting = await start({ ...smtp, authAutoconfirm: true })
})
afterAll(async () => {
  for (const server of [strict, lenient, mailless, trusting]) await server.cleanup()
})

const newEmail = () => `owner${people++}@example.com`

async function signUp(server: AuthServer, email: string, password: string, name: string) {
  const body = { email, password, name }
  const answer = await server.ask('POST', '/api/auth/signup', { body })
  return { status: answer.status, body: (await answer.json()) as Record<string, string> }
}

const canLogIn = async (server: AuthServer, email: string, password: string) =>
  (await server.ask('POST', '/api/auth/login', { body: { email, password } })).status === 200

const mailsTo = (email: string) => post.mails.filter(({ to }) => to === email)

/** The mail that the next step sends to an address. */
async function mailOf(email: string, step: () => Promise<unknown>): Promise<ArrivedMail> {
  const before = mailsTo(email).length
  await step()
  await expect.poll(() => mailsTo(email).length).toBe(before + 1)
  return mailsTo(email)[before] as ArrivedMail
}

/** Opens the link of a mail; returns the fragment of the page that it ends on. */
async function open(server: AuthServer, mail: ArrivedMail): Promise<Record<string, string>> {
  const answer = await server.ask('GET', `${mail.link?.pathname}${mail.link?.search}`)
  expect(answer.status).toBe(303)
  return Object.fromEntries(new URLSearchParams(new URL(answer.headers.get('location') ?? '').hash.slice(1)))
}

/** Signs in with Google as the owner of an address; returns the fragment of the page that it ends on. */
async function byGoogle(server: AuthServer, email: string): Promise<Record<string, string>> {
  server.services.config.publicUrl = server.url
  const started = await server.ask('GET', '/auth/v1/authorize?provider=google')
  const body = new URLSearchParams(new URL(started.headers.get('location') ?? '').search)
  body.set('person', `owner-${Number(/\d+/.exec(email)?.[0])}`)
  const chosen = await fetch(`${provider.url}/authorize`, { method: 'POST', body, redirect: 'manual' })
  const back = new URL(chosen.headers.get('location') ?? '')
  const cookie = started.headers.get('set-cookie')?.split(';')[0] ?? ''
  const ended = await server.ask('GET', `${back.pathname}${back.search}`, { headers: { cookie } })
  return Object.fromEntries(new URLSearchParams(new URL(ended.headers.get('location') ?? '').hash.slice(1)))
}

async function me(server: AuthServer, token: string | undefined) {
  const answer = await server.ask('GET', '/api/user/user-data', { token: token ?? '' })
  return { status: answer.status, data: (await answer.json()) as Record<string, unknown> }
}

const sessionOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    sub: string
    groundswell: { workspace_id: string; is_admin: boolean }
  }

/** Leaves what an attacker would in the workspace of a token: a destination and an app of theirs, and feedback. */
async function plant(server: AuthServer, token: string): Promise<void> {
  const { workspace_id: workspace } = sessionOf(token).groundswell
  await inWorkspace(server.services.db, workspace, async (tx) => {
    await sql`insert into connection (workspace_id, connector, settings)
      values (${workspace}, 'webhook', '{"webhook":"http://attacker.example/"}')`.execute(tx)
    await sql`insert into provider_app (workspace_id, connector, sealed) values (${workspace}, 'slack', 'theirs')`.execute(
      tx,
    )
  })
}

async function planted(server: AuthServer, token: string): Promise<number[]> {
  const { workspace_id: workspace } = sessionOf(token).groundswell
  return inWorkspace(server.services.db, workspace, async (tx) => {
    const count = async (query: ReturnType<typeof sql<{ count: number }>>) =>
      Number((await query.execute(tx)).rows[0]?.count)
    return [
      await count(sql`select count(*) from connection where disconnected_at is null`),
      await count(sql`select count(*) from provider_app`),
    ]
  })
}

/** Someone signs in with an address that is not theirs and sets up every credential that could let them back in. */
async function attacker(server: AuthServer, email: string) {
  const client: AuthClient = server.client(make)
  const { data, error } = await client.signUp({ email, password: THEIRS, options: { data: { name: 'Attacker' } } })
  expect(error).toBeNull()
  await expect.poll(() => mailsTo(email).length).toBe(server === lenient ? 1 : 0)
  const { data: factor } = await client.mfa.enroll({ factorType: 'totp' })
  const secret = factor?.totp.secret ?? ''
  const code = await generate({ secret, epoch: Math.floor(server.services.now().getTime() / 1000) })
  expect((await client.mfa.challengeAndVerify({ factorId: factor?.id ?? '', code })).error).toBeNull()
  const stored = (await client.getSession()).data.session
  const token = stored?.access_token ?? ''
  await server.ask('POST', '/api/account/recovery-codes', { token, body: {} })
  await plant(server, token)
  return { id: data.user?.id ?? '', token, refresh: stored?.refresh_token ?? '', client }
}

/** No credential of the earlier person gives access to this address any more. */
async function expectShutOut(server: AuthServer, email: string, earlier: { token: string; refresh: string }) {
  expect(await canLogIn(server, email, THEIRS)).toBe(false)
  await expect.poll(async () => (await me(server, earlier.token)).status).toBe(401)
  const renewed = await server.client(make).refreshSession({ refresh_token: earlier.refresh })
  expect(renewed.error?.code).toBe('refresh_token_already_used')
}

async function expectOwn(server: AuthServer, token: string | undefined, earlier: { id: string; token: string }) {
  const owner = await me(server, token)
  expect([owner.status, owner.data.is_admin]).toEqual([200, false])
  const mine = sessionOf(token ?? '')
  expect(mine.sub).not.toBe(earlier.id)
  expect(mine.groundswell.workspace_id).not.toBe(sessionOf(earlier.token).groundswell.workspace_id)
  expect(await planted(server, token ?? '')).toEqual([0, 0])
  const user = (await (await server.ask('GET', '/auth/v1/user', { token })).json()) as Record<string, unknown>
  expect([user.factors, user.new_email]).toEqual([undefined, undefined])
}

describe('an address that another person signed up with first', () => {
  it('passes to its owner with an empty account by the link of the owner’s own sign-up, and the other person is locked out', async () => {
    const email = newEmail()
    const earlier = await attacker(lenient, email)
    const mail = await mailOf(email, async () => {
      expect(await signUp(lenient, email, MINE, 'Owner')).toMatchObject({
        status: 400,
        body: { code: 'email_unconfirmed' },
      })
    })
    expect(await canLogIn(lenient, email, MINE)).toBe(false)
    expect((await me(lenient, earlier.token)).data.name).toBe('Attacker')
    const { access_token: token } = await open(lenient, mail)
    await expectShutOut(lenient, email, earlier)
    await expectOwn(lenient, token, earlier)
    expect((await me(lenient, token)).data).toMatchObject({ email, name: 'Owner' })
    expect(await canLogIn(lenient, email, MINE)).toBe(true)
    expect(await planted(lenient, earlier.token)).toEqual([1, 1])
  })

  it('is not changed by another sign-up: its own link preserves its password and workspace', async () => {
    const email = newEmail()
    let first = { token: '', refresh_token: '' }
    const own = await mailOf(email, async () => {
      first = (await signUp(lenient, email, MINE, 'Owner')).body as typeof first
    })
    const other = await mailOf(email, () => signUp(lenient, email, THEIRS, 'Attacker'))
    const { access_token: token } = await open(lenient, own)
    expect(sessionOf(token ?? '').groundswell).toMatchObject({
      workspace_id: sessionOf(first.token).groundswell.workspace_id,
    })
    expect((await me(lenient, first.token)).data.name).toBe('Owner')
    expect((await open(lenient, other)).error_code).toBe('otp_expired')
    expect([await canLogIn(lenient, email, MINE), await canLogIn(lenient, email, THEIRS)]).toEqual([true, false])
  })

  it('gets the password of the sign-up whose link is opened, where a confirmed address is required', async () => {
    for (const [opened, works] of [
      [0, 'first password'],
      [1, 'second password'],
      [2, 'third password'],
    ] as const) {
      const email = newEmail()
      const mails: ArrivedMail[] = []
      for (const password of ['first password', 'second password', 'third password']) {
        mails.push(
          await mailOf(email, () =>
            strict.client(make).signUp({ email, password, options: { data: { name: password } } }),
          ),
        )
      }
      const { access_token: token } = await open(strict, mails[opened] as ArrivedMail)
      expect((await me(strict, token)).data.name).toBe(works)
      const passwords = ['first password', 'second password', 'third password']
      const working = []
      for (const password of passwords) if (await canLogIn(strict, email, password)) working.push(password)
      expect(working).toEqual([works])
    }
  })

  it('gets the same reply as a confirmed one, where sign-up reveals neither', async () => {
    const email = newEmail()
    const mail = await mailOf(email, () => strict.client(make).signUp({ email, password: MINE }))
    const unconfirmed = await strict.client(make).signUp({ email, password: THEIRS })
    await open(strict, mail)
    const confirmed = await strict.client(make).signUp({ email, password: THEIRS })
    const shape = ({ data, error }: typeof confirmed) => [
      error,
      data.session,
      data.user?.identities,
      Object.keys(data.user ?? {}),
    ]
    expect(shape(unconfirmed)).toEqual(shape(confirmed))
  })

  it('is refused without mail, like one that is confirmed, and stays as it is', async () => {
    const email = newEmail()
    const earlier = await attacker(mailless, email)
    const taken = await signUp(mailless, email, MINE, 'Owner')
    expect([taken.status, taken.body.code]).toEqual([400, 'signup_refused'])
    expect(await signUp(mailless, 'admin@example.com', MINE, 'Owner')).toEqual(taken)
    expect(await canLogIn(mailless, email, MINE)).toBe(false)
    expect((await me(mailless, earlier.token)).data.name).toBe('Attacker')
  })

  it.each([
    ['without mail', () => mailless],
    ['with mail', () => lenient],
    ['where addresses count as confirmed unseen', () => trusting],
  ])('passes to its owner with an empty account by a sign-in with Google, %s', async (_words, serverOf) => {
    const server = serverOf()
    const email = newEmail()
    const earlier = await attacker(server, email)
    const { access_token: token } = await byGoogle(server, email)
    await expectShutOut(server, email, earlier)
    await expectOwn(server, token, earlier)
    const again = await byGoogle(server, email)
    expect(sessionOf(again.access_token ?? '').sub).toBe(sessionOf(token ?? '').sub)
  })

  it.each([
    ['with mail', () => lenient],
    ['where addresses count as confirmed unseen', () => trusting],
  ])(
    'is entered by a recovery with nothing left by which the other one comes in or receives, %s',
    async (_words, serverOf) => {
      const server = serverOf()
      const email = newEmail()
      const earlier = await attacker(server, email)
      const mail = await mailOf(email, () => server.client(make).resetPasswordForEmail(email))
      const end = await open(server, mail)
      await expectShutOut(server, email, earlier)
      const token = end.access_token ?? ''
      expect((await me(server, token)).status).toBe(200)
      expect(await planted(server, token)).toEqual([0, 0])
      const body = { password: MINE }
      expect((await server.ask('PUT', '/auth/v1/user', { token, body })).status).toBe(200)
      expect(await canLogIn(server, email, MINE)).toBe(true)
    },
  )

  it('passes to the account whose mailbox confirms a change to it, and the other person is locked out', async () => {
    const email = newEmail()
    const earlier = await attacker(lenient, email)
    const old = newEmail()
    let session = { token: '' }
    await open(
      lenient,
      await mailOf(old, async () => {
        session = (await signUp(lenient, old, MINE, 'Owner')).body as typeof session
      }),
    )
    const change = { token: session.token, body: { email } }
    const mail = await mailOf(email, async () => {
      expect((await lenient.ask('PUT', '/auth/v1/user', change)).status).toBe(200)
    })
    expect((await open(lenient, mail)).type).toBe('email_change')
    await expectShutOut(lenient, email, earlier)
    expect(await canLogIn(lenient, email, MINE)).toBe(true)
  })

  it('is not reserved by a change to it that another account requested and never confirmed', async () => {
    const email = newEmail()
    const theirs = newEmail()
    const { token } = (await signUp(lenient, theirs, THEIRS, 'Attacker')).body
    const pending = await mailOf(email, () => lenient.ask('PUT', '/auth/v1/user', { token, body: { email } }))
    const mail = await mailOf(email, () => signUp(lenient, email, MINE, 'Owner'))
    await open(lenient, mail)
    expect((await open(lenient, pending)).error_code).toBe('email_exists')
    expect(await canLogIn(lenient, email, MINE)).toBe(true)
  })

  it('is opened by an invitation without the data of a sign-up in between', async () => {
    const email = newEmail()
    const service = await serviceToken(lenient.services, 1)
    const invited = await mailOf(email, () =>
      lenient.ask('POST', '/auth/v1/invite', { token: service, body: { email } }),
    )
    const other = await mailOf(email, () => signUp(lenient, email, THEIRS, 'Attacker'))
    expect((await open(lenient, invited)).type).toBe('invite')
    expect((await open(lenient, other)).error_code).toBe('otp_expired')
    expect(await canLogIn(lenient, email, THEIRS)).toBe(false)
  })

  it('is confirmed again for its owner alone: a link that anyone requests sets no password', async () => {
    const email = newEmail()
    const earlier = await attacker(lenient, email)
    await mailOf(email, () => signUp(lenient, email, MINE, 'Owner'))
    const again = await mailOf(email, () => lenient.client(make).resend({ type: 'signup', email }))
    const end = await open(lenient, again)
    expect(end.type).toBe('recovery')
    await expectShutOut(lenient, email, earlier)
    await expectOwn(lenient, end.access_token, earlier)
    expect(await canLogIn(lenient, email, MINE)).toBe(false)
  })

  it('is confirmed again from Settings for the signed-in account, even if another person signed up in between', async () => {
    const email = newEmail()
    let token = ''
    await mailOf(email, async () => {
      token = (await signUp(lenient, email, MINE, 'Owner')).body.token ?? ''
    })
    await mailOf(email, () => signUp(lenient, email, THEIRS, 'Attacker'))
    const again = await mailOf(email, () =>
      lenient.ask('POST', '/auth/v1/resend', { token, body: { type: 'signup', email } }),
    )
    const end = await open(lenient, again)
    expect(sessionOf(end.access_token ?? '').sub).toBe(sessionOf(token).sub)
    expect(await canLogIn(lenient, email, MINE)).toBe(true)
  })

  it('does not stay with a sign-in whose password was being checked meanwhile', async () => {
    const email = newEmail()
    await signUp(trusting, email, THEIRS, 'Attacker')
    const mail = await mailOf(email, () => trusting.client(make).resetPasswordForEmail(email))
    const [end, ...guesses] = await Promise.all([
      open(trusting, mail),
      ...Array.from({ length: 10 }, () =>
        trusting.ask('POST', '/api/auth/login', { body: { email, password: THEIRS } }).then((answer) => answer.json()),
      ),
    ])
    expect((await me(trusting, end.access_token)).status).toBe(200)
    const tokens = (guesses as { token?: string }[]).flatMap(({ token }) => token ?? [])
    for (const token of tokens) {
      await expect.poll(async () => (await me(trusting, token)).status).toBe(401)
    }
  })
})

describe('the first admin', () => {
  it('keeps the account when they sign in with Google: the operator created it', async () => {
    const own = await authServer({
      google: { issuer: provider.url, clientId: provider.clientId, clientSecret: provider.clientSecret },
    })
    const email = newEmail()
    const first = (await signUp(own, email, MINE, 'Admin')).body as { token: string }
    const { access_token: token } = await byGoogle(own, email)
    expect(sessionOf(token ?? '').groundswell).toMatchObject({
      workspace_id: sessionOf(first.token).groundswell.workspace_id,
      is_admin: true,
    })
    await own.cleanup()
  })
})

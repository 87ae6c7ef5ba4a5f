import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Context } from '../connector.ts'
import { AuthExpired, Rejected } from '../kit/errors.ts'
import { failureFrom } from '../kit/testing.ts'
import { type Attempt, addressOf, decide, signIn as signInBy } from '../kit/worlds/sign-in.ts'
import type { AzureSandbox } from '../sandbox/azure/azure.ts'
import { check } from './check.ts'
import { manifest } from './manifest.ts'
import { oauth } from './oauth.ts'
import { contextFor, openAzure } from './testing.ts'

/** Replaces the server that was connected before. */
const noServer = { server: null, api_version: null }
const redirectUrl = 'https://feedback.example.com/api/azure/callback'
const codeVerifier = 'v'.repeat(64)
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')

const appOf = ({ signIns }: AzureSandbox): Record<string, string> => ({
  tenant: signIns.tenant,
  client_id: signIns.clientId,
  client_secret: signIns.clientSecret,
})

const attempt = (azure: AzureSandbox, context: Context): Attempt => ({
  oauth,
  context,
  app: appOf(azure),
  redirectUrl,
  state: 'the state',
  codeVerifier,
})

/** Decides on the consent page, which names the person, and returns the address that follows. */
async function consent(azure: AzureSandbox, context: Context, decision?: 'cancel'): Promise<URL> {
  const { page, back } = await decide(addressOf(attempt(azure, context)), decision)
  expect(page).toContain('Tally Turner')
  return back
}

const signIn = (azure: AzureSandbox, now: () => Date = () => new Date()) =>
  signInBy(attempt(azure, contextFor(azure, { settings: {}, secrets: {}, now })))

describe('a personal access token', () => {
  it('belongs to an organisation, whose name is on the tile and in the user’s data', async () => {
    await using azure = await openAzure()
    const { account, settings, secrets } = await check(contextFor(azure))
    expect(account).toBe('fabrikam')
    expect(settings).toEqual({ name: 'fabrikam', organization: 'fabrikam', organizations: ['fabrikam'], ...noServer })
    expect(secrets).toEqual({ pat: azure.signIns.pat })
    expect(manifest.describe(settings, secrets)).toEqual({
      name: 'fabrikam',
      userData: { azure_data: { name: 'fabrikam' } },
    })
  })

  it('is sent as the password of nobody, with the version of the API', async () => {
    await using azure = await openAzure()
    const sent: Record<string, string>[] = []
    const context = contextFor(azure)
    const http = {
      request: (request: Parameters<Context['http']['request']>[0]) => {
        sent.push({ url: request.url, ...request.headers })
        return context.http.request(request)
      },
    }
    await check({ ...context, http })
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({
      authorization: `Basic ${Buffer.from(`:${azure.signIns.pat}`).toString('base64')}`,
      'x-tfs-fedauthredirect': 'Suppress',
    })
    expect(new URL(sent[0]?.url ?? '').searchParams.get('api-version')).toBe('7.1')
  })

  it('that Azure DevOps does not know is refused', async () => {
    await using azure = await openAzure()
    const error = await failureFrom(check(contextFor(azure, { secrets: { pat: 'x'.repeat(52) } })))
    expect(error).toBeInstanceOf(AuthExpired)
    expect((error as Error).message).not.toContain('xxxx')
  })

  it('for an organisation that does not exist is explained', async () => {
    await using azure = await openAzure()
    const error = await failureFrom(check(contextFor(azure, { settings: { organization: 'other' } })))
    expect(error).toMatchObject({ kind: 'rejected', message: expect.stringContaining('no such organization') })
  })

  it.each([[undefined], ['a/b'], ['..'], ['']])('for the organisation %j requests nothing', async (organization) => {
    await using azure = await openAzure()
    expect(await failureFrom(check(contextFor(azure, { settings: { organization } })))).toBeInstanceOf(Rejected)
    expect(azure.calls).toEqual([])
  })

  const pat = 'a1'.repeat(26)
  it.each([
    [{ organization: 'fabrikam', pat }, true],
    [{ organization: ' Fabrikam-2 ', pat: ` ${pat}\n` }, true],
    [{ organization: 'https://dev.azure.com/fabrikam/', pat }, true],
    [{ organization: 'https://fabrikam.visualstudio.com/', pat }, true],
    [{ organization: 'https://visualstudio.com/fabrikam', pat }, false],
    [{ organization: 'fabrikam', pat: `${'a1+/'.repeat(19)}AZDO0000` }, true],
    [{ organization: 'https://evil.example.com/fabrikam', pat }, false],
    [{ organization: 'fabrikam/../other', pat }, false],
    [{ organization: '-fabrikam', pat }, false],
    [{ organization: '', pat }, false],
    [{ organization: 'x'.repeat(65), pat }, false],
    [{ organization: 'fabrikam', pat: 'short' }, false],
    [{ organization: 'fabrikam', pat: `${pat} ${pat}` }, false],
    [{ organization: 'fabrikam', pat: 'a'.repeat(513) }, false],
  ])('%j is accepted by the form: %s', (form, accepted) => {
    expect(manifest.form.safeParse(form).success).toBe(accepted)
  })

  it.each(['https://dev.azure.com/fabrikam', 'https://fabrikam.visualstudio.com'])(
    'of the pasted address %s keeps the name of the organisation',
    (organization) => {
      expect(manifest.form.parse({ organization, pat })).toEqual({ organization: 'fabrikam', pat })
    },
  )
})

describe('signing in with Microsoft Entra', () => {
  it('asks on Microsoft’s own host for Azure DevOps and a refresh token', () => {
    const context = { baseUrl: null } as Context
    const request = { redirectUrl, state: 's', codeChallenge }
    const url = new URL(oauth.authorizeUrl(context, { tenant: 'fabrikam.example', client_id: 'c' }, request))
    expect(`${url.origin}${url.pathname}`).toBe(
      'https://login.microsoftonline.com/fabrikam.example/oauth2/v2.0/authorize',
    )
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'c',
      redirect_uri: redirectUrl,
      response_type: 'code',
      response_mode: 'query',
      scope: '499b84ac-1321-427f-aa17-267ca6975798/.default offline_access',
      state: 's',
      prompt: 'select_account',
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    })
  })

  it('returns the person, their organisations, both tokens and when they end', async () => {
    await using azure = await openAzure()
    const now = new Date('2026-11-23T10:00:00Z')
    const { account, settings, secrets, expiresAt } = await signIn(azure, () => now)
    expect(account).toBe(azure.account.person.id)
    expect(settings).toEqual({ name: 'fabrikam', organizations: ['fabrikam'], ...noServer })
    expect(Object.keys(secrets).toSorted()).toEqual(['access_token', 'refresh_token'])
    expect(expiresAt).toEqual(new Date('2026-11-23T11:00:00Z'))
  })

  it('with several organisations has the person’s name, and leaves out what cannot be part of a path', async () => {
    await using azure = await openAzure()
    azure.account.organisations = ['fabrikam', 'contoso', '../evil']
    const { settings } = await signIn(azure)
    expect(settings).toEqual({ name: 'Tally Turner', organizations: ['fabrikam', 'contoso'], ...noServer })
  })

  it('without an organisation is refused', async () => {
    await using azure = await openAzure()
    azure.account.organisations = []
    expect(await failureFrom(signIn(azure))).toMatchObject({ message: expect.stringContaining('no organization') })
  })

  it('returns the state, and nothing to exchange where the person declined', async () => {
    await using azure = await openAzure()
    const { searchParams } = await consent(azure, contextFor(azure), 'cancel')
    expect(Object.fromEntries(searchParams)).toEqual({ state: 'the state', error: 'access_denied' })
  })

  it.each([
    ['a wrong secret', { client_secret: 'wrong' }, {}, 'AADSTS7000215'],
    ['another app', { client_id: 'wrong' }, {}, 'AADSTS700016'],
    ['another verifier', {}, { codeVerifier: 'w'.repeat(64) }, 'AADSTS501481'],
    ['another address', {}, { redirectUrl: 'https://other.example.com/' }, 'AADSTS70008'],
  ])('is refused with %s, by Microsoft’s code only', async (_, otherApp, request, code) => {
    await using azure = await openAzure()
    const context = contextFor(azure, { secrets: {} })
    const given = (await consent(azure, context)).searchParams.get('code') ?? ''
    const exchange = oauth.exchange(
      context,
      { ...appOf(azure), ...otherApp },
      { redirectUrl, code: given, codeVerifier, ...request },
    )
    const error = await failureFrom(exchange)
    expect(error).toMatchObject({ kind: 'rejected', message: expect.stringContaining(code) })
    expect((error as Error).message).not.toContain('customer words')
    expect(JSON.stringify(error)).not.toContain(azure.signIns.clientSecret)
  })

  it('says where an administrator has to consent', async () => {
    await using azure = await openAzure()
    azure.signIns.needsConsent = true
    const error = await failureFrom(signIn(azure))
    expect(error).toMatchObject({ message: expect.stringContaining('an administrator has to consent') })
  })
})

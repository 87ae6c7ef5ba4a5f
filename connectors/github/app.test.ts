import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { failureFrom } from '../kit/testing.ts'
import { app } from './app.ts'
import { appToken, readPrivateKey } from './app-token.ts'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pkcs1 = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' })
const publicPem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()

const filledIn = {
  app_id: ' 4711 ',
  slug: 'Acme-Groundswell',
  client_id: 'Iv23abc',
  client_secret: 'secret',
  private_key: pkcs1,
  webhook_secret: '',
}

describe('the private key', () => {
  it.each([
    ['as GitHub generates it', pkcs1],
    ['in the newer format', pkcs8],
    ['without line breaks, as from a field of one line', pkcs1.replaceAll('\n', '')],
    ['with spaces for line breaks', pkcs1.replaceAll('\n', ' ')],
    ['with \\n for line breaks, as from an environment variable', pkcs1.replaceAll('\n', '\\n')],
    ['with line breaks of Windows and text around it', `key:\r\n${pkcs1.replaceAll('\n', '\r\n')}\r\n`],
  ])('is read %s', (_, text) => {
    expect(readPrivateKey(text)?.equals(privateKey)).toBe(true)
  })

  it.each([
    ['empty', ''],
    ['cut off', pkcs1.slice(0, 400)],
    ['damaged', pkcs1.replace(/\n[\w+/]{20}/, '\nAAAAAAAAAAAAAAAAAAAA')],
    ['public', publicPem],
    ['of another kind', elliptic.toString()],
    ['a path', '/home/ann/app.pem'],
  ])('is refused where it is %s', (_, text) => {
    expect(readPrivateKey(text)).toBeNull()
    expect(app.form.safeParse({ ...filledIn, private_key: text }).success).toBe(false)
  })
})

describe('the token of the app', () => {
  const now = new Date('2026-03-02T10:00:00Z')
  const token = appToken({ app_id: '4711', private_key: pkcs1 }, now)
  const [header = '', claims = '', signature = ''] = token.split('.')
  const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))

  it('is a JWT that the app’s key signed', () => {
    expect(read(header)).toEqual({ alg: 'RS256', typ: 'JWT' })
    const signed = Buffer.from(`${header}.${claims}`)
    expect(verify('RSA-SHA256', signed, createPublicKey(privateKey), Buffer.from(signature, 'base64url'))).toBe(true)
    expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  })

  it('lasts less than the ten minutes that GitHub allows, and tolerates a clock that is behind', () => {
    const seconds = now.getTime() / 1000
    const { iat, exp, iss } = read(claims) as { iat: number; exp: number; iss: string }
    expect(iss).toBe('4711')
    expect(iat).toBe(seconds - 60)
    expect(exp - iat).toBeLessThan(600)
    expect(exp).toBeGreaterThan(seconds + 300)
  })

  it('cannot be made without a key, and says so without showing any of it', async () => {
    const error = await failureFrom(Promise.resolve().then(() => appToken({ private_key: pkcs1.slice(0, 400) }, now)))
    expect(error).toMatchObject({
      kind: 'auth',
      message: 'The private key of the GitHub app cannot be read: save the app again',
    })
  })
})

describe('the form of the app', () => {
  it('keeps what GitHub shows', () => {
    expect(app.form.parse(filledIn)).toEqual({ ...filledIn, app_id: '4711', slug: 'acme-groundswell' })
  })

  it.each([
    ['app_id', 'acme-groundswell'],
    ['app_id', ''],
    ['slug', 'https://github.com/apps/acme'],
    ['slug', '../login'],
    ['client_id', 'two words'],
    ['client_id', ''],
    ['client_secret', ''],
    ['private_key', 'x'.repeat(20_001)],
  ])('refuses %s “%s”', (field, value) => {
    const parsed = app.form.safeParse({ ...filledIn, [field]: value })
    expect(parsed.error?.issues[0]?.path).toEqual([field])
    expect(parsed.error?.issues[0]?.message).not.toContain(value || 'nothing')
  })

  it('needs no webhook secret, without which changes arrive by polling', () => {
    const { webhook_secret: _, ...rest } = filledIn
    expect(app.form.safeParse(rest).success).toBe(true)
    expect(app.fields.find(({ name }) => name === 'webhook_secret')).toMatchObject({ required: false, kind: 'secret' })
  })

  it('takes every field from the environment too, and seals the secret ones', () => {
    const names = app.fields.map(({ name }) => name)
    expect(Object.keys(app.environment)).toEqual(names)
    expect(app.fields.filter(({ kind }) => kind === 'secret').map(({ name }) => name)).toEqual(app.secretFields)
  })

  it('explains the set-up with the addresses of this server', () => {
    const urls = { redirectUrl: 'https://fb.example/api/oauth', eventsUrl: 'https://fb.example/api/github/events' }
    const { steps, paste } = app.guide(urls)
    expect(paste).toEqual({ label: 'Callback URL', text: urls.redirectUrl })
    expect(steps.join(' ')).toContain(urls.eventsUrl)
    expect(steps.join(' ')).toContain('Request user authorization (OAuth) during installation')
  })
})

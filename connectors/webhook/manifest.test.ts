import { describe, expect, it } from 'vitest'
import { manifest } from './manifest.ts'

const parse = (form: unknown) => manifest.form.safeParse(form)

describe('the form', () => {
  it.each([
    [{ webhook: 'https://example.com/hook?x=1#y' }],
    [{ webhook: '  http://example.com  ' }],
    [{ webhook: 'https://example.com', client_token: '' }],
    [{ webhook: 'https://example.com', client_token: null }],
    [{ webhook: 'https://example.com', client_token: 'abc.DEF-123~+/=' }],
    [{ webhook: 'http://127.0.0.1:8080/' }],
    [{ webhook: `https://example.com/${'x'.repeat(2028)}` }],
  ])('accepts %j', (form) => {
    expect(parse(form).success).toBe(true)
  })

  it.each([
    [{}],
    [{ webhook: '' }],
    [{ webhook: '   ' }],
    [{ webhook: 5 }],
    [{ webhook: null }],
    [{ webhook: 'example.com' }],
    [{ webhook: 'ftp://example.com' }],
    [{ webhook: 'javascript:alert(1)' }],
    [{ webhook: 'https://' }],
    [{ webhook: 'https://user:pass@example.com/' }],
    [{ webhook: 'https://user@example.com/' }],
    [{ webhook: `https://example.com/${'x'.repeat(2029)}` }],
    [{ webhook: ['https://example.com'] }],
    [{ webhook: 'https://example.com', client_token: 'two words' }],
    [{ webhook: 'https://example.com', client_token: 'line\r\nbreak' }],
    [{ webhook: 'https://example.com', client_token: 'ü' }],
    [{ webhook: 'https://example.com', client_token: 7 }],
    [{ webhook: 'https://example.com', client_token: 'x'.repeat(1025) }],
  ])('refuses %j', (form) => {
    expect(parse(form).success).toBe(false)
  })

  it('trims what was pasted', () => {
    expect(parse({ webhook: ' https://example.com/a ', client_token: ' t ' }).data).toEqual({
      webhook: 'https://example.com/a',
      client_token: 't',
    })
  })
})

it('has the host on the tile and the URL in the user’s data', () => {
  expect(manifest.describe({}, { webhook: 'https://hooks.example.com:8443/a/b' })).toEqual({
    name: 'hooks.example.com:8443',
    userData: { webhook_destination: { url: 'https://hooks.example.com:8443/a/b' }, destination_webhook: true },
  })
})

import { expect, it } from 'vitest'
import { hostUrl } from './host-url.ts'

const OWN = 'https://login.acme.example'

it.each([
  [{ baseUrl: null }, OWN],
  [{ baseUrl: 'http://127.0.0.1:9/' }, 'http://127.0.0.1:9'],
  [{ baseUrl: 'http://127.0.0.1:9', hostUrls: { login: 'http://127.0.0.1:8/' } }, 'http://127.0.0.1:8'],
  [{ baseUrl: null, hostUrls: { login: 'http://127.0.0.1:8' } }, 'http://127.0.0.1:8'],
  [{ baseUrl: null, hostUrls: { api: 'http://127.0.0.1:8' } }, OWN],
])('with %j it is %s', (context, url) => {
  expect(hostUrl(context, 'login', OWN)).toBe(url)
})

import { describe, expect, it } from 'vitest'
import { proves } from '../../platform/proves.ts'
import type { Services } from '../../platform/services.ts'
import { isSameBrowser, markBrowser } from './browser-cookie.ts'

const at = (publicUrl: string) => ({ config: { publicUrl } }) as Services
const safe = at('https://us.example')

describe('the mark of a browser that starts a sign-in', () => {
  it('is, over https, a cookie of this host alone that no script reads and no form of another site sends', () => {
    proves('3.3.1', '3.3.2', '3.3.3', '3.3.4')
    const { setCookie } = markBrowser(safe, {})
    expect(setCookie).toMatch(
      /^__Host-groundswell_sign_in=[\w-]{32}; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax; Secure$/,
    )
  })

  it('is, over http, found under a name without the prefix, which browsers would refuse', () => {
    const { setCookie } = markBrowser(at('http://localhost:3000'), {})
    expect(setCookie).toMatch(/^groundswell_sign_in=[\w-]{32}; Path=\/auth\/v1; Max-Age=900; HttpOnly; SameSite=Lax$/)
  })

  it('is recognized, and one that a sibling host set in its place is not', () => {
    const { browserHash, setCookie } = markBrowser(safe, {})
    const cookie = setCookie.split(';')[0] ?? ''
    const agent = { 'user-agent': 'Mozilla/5.0' }
    expect(isSameBrowser(safe, { ...agent, cookie: `a=b; ${cookie}` }, browserHash)).toBe(true)
    expect(isSameBrowser(safe, { ...agent, cookie: cookie.replace('__Host-', '') }, browserHash)).toBe(false)
    expect(isSameBrowser(safe, agent, browserHash)).toBe(false)
    expect(markBrowser(safe, { cookie }).browserHash).toEqual(browserHash)
  })
})

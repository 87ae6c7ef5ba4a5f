import { afterEach, expect, test, vi } from 'vitest'
import { googleSignInAddress } from './google-button.tsx'
import { oauthLanding, readFragment, takeOAuthFragment } from './oauth-fragment.ts'

afterEach(() => vi.unstubAllGlobals())

test('the token is read from the fragment; an empty one is none', () => {
  expect(readFragment('#access_token=a.b.c&expires_in=60&sb=')).toEqual({ token: 'a.b.c', isNewUser: false })
  expect(readFragment('#access_token=t&is_new_user=true')).toEqual({ token: 't', isNewUser: true })
  expect(readFragment('#access_token=').token).toBeNull()
  expect(readFragment('').token).toBeNull()
})

test('the fragment is taken out of the address on the callback and nowhere else', () => {
  const replaceState = vi.fn<History['replaceState']>()
  vi.stubGlobal('history', { state: null, replaceState })
  vi.stubGlobal('location', { pathname: '/insights', search: '', hash: '#access_token=t' })
  takeOAuthFragment()
  expect(replaceState).not.toHaveBeenCalled()
  vi.stubGlobal('location', { pathname: '/api/auth/oauth-callback', search: '?a=1', hash: '#access_token=t' })
  takeOAuthFragment()
  expect(replaceState).toHaveBeenCalledWith(null, '', '/api/auth/oauth-callback?a=1')
  expect(oauthLanding().token).toBe('t')
})

test('Google sign-in comes back to our callback', () => {
  const address = new URL(googleSignInAddress('https://auth.example.com', 'https://app.example.com'))
  expect(address.searchParams.get('redirect_to')).toBe('https://app.example.com/api/auth/oauth-callback')
  expect(address.pathname).toBe('/auth/v1/authorize')
})

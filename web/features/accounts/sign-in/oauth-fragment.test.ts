import { afterEach, expect, test, vi } from 'vitest'
import { googleSignInAddress } from './google-button.tsx'
import { oauthLanding, readFragment, takeOAuthFragment } from './oauth-fragment.ts'

afterEach(() => vi.unstubAllGlobals())

test('the sign-in is read from the fragment; an empty token is none', () => {
  expect(readFragment('#access_token=a.b.c&expires_at=60&refresh_token=r&type=recovery&sb=')).toEqual({
    signIn: { token: 'a.b.c', refresh_token: 'r', expires_at: 60 },
    isNewUser: false,
    type: 'recovery',
    error: null,
  })
  expect(readFragment('#access_token=t&is_new_user=true')).toMatchObject({
    signIn: { token: 't', refresh_token: null, expires_at: null },
    isNewUser: true,
  })
  expect(readFragment('#access_token=').signIn).toBeNull()
  expect(readFragment('').signIn).toBeNull()
  expect(readFragment('#error=access_denied&error_description=No+access').error).toBe('No access')
})

const replaceState = vi.fn<History['replaceState']>()

function openedWith(pathname: string, search: string, hash: string): void {
  replaceState.mockClear()
  vi.stubGlobal('history', { state: null, replaceState })
  vi.stubGlobal('location', { pathname, search, hash })
  takeOAuthFragment()
}

test('the fragment is taken out of the address on the callback, and on no screen of the signed in', () => {
  openedWith('/insights', '', '#access_token=t')
  expect(replaceState).not.toHaveBeenCalled()
  openedWith('/api/auth/oauth-callback', '?a=1', '#access_token=t')
  expect(replaceState).toHaveBeenCalledWith(null, '', '/api/auth/oauth-callback?a=1')
  expect(oauthLanding().signIn?.token).toBe('t')
})

test('the link of a mail leads to the screen it is for', () => {
  openedWith('/auth', '?step=new-password', '#access_token=t&type=recovery')
  expect(replaceState).toHaveBeenLastCalledWith(null, '', '/auth?step=new-password')
  openedWith('/', '', '#access_token=t&type=recovery')
  expect(replaceState).toHaveBeenLastCalledWith(null, '', '/auth?step=new-password')
  openedWith('/', '', '#access_token=t&type=signup')
  expect(replaceState).toHaveBeenLastCalledWith(null, '', '/auth?step=confirmed')
  openedWith('/', '', '#about')
  expect(replaceState).not.toHaveBeenCalled()
})

test('Google sign-in comes back to our callback', () => {
  const address = new URL(googleSignInAddress('https://auth.example.com', 'https://app.example.com'))
  expect(address.searchParams.get('redirect_to')).toBe('https://app.example.com/api/auth/oauth-callback')
  expect(address.pathname).toBe('/auth/v1/authorize')
})

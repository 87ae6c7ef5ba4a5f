import type { User } from '@supabase/auth-js'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { authClient } from '../client/index.ts'
import { settled } from './auth-words.ts'

/** The key under which the signed-in account is cached. */
export const ACCOUNT_USER_KEY = ['account', 'user'] as const

/** The account on the auth server: address, identities, factors. */
export function useAccountUser(): UseQueryResult<User> {
  return useQuery({
    queryKey: ACCOUNT_USER_KEY,
    queryFn: async () => settled(await (await authClient()).getUser()).user,
  })
}

/** Whether the account has a password; one created through Google alone has none. */
export function hasPassword(user: User): boolean {
  return (user.identities ?? []).some(({ provider }) => provider === 'email')
}

/** Whether the account signs in with Google. */
export function signsInWithGoogle(user: User): boolean {
  return (user.identities ?? []).some(({ provider }) => provider === 'google')
}

/** The verified second factor, if any. */
export function verifiedFactor(user: User): NonNullable<User['factors']>[number] | undefined {
  return user.factors?.find(({ factor_type, status }) => factor_type === 'totp' && status === 'verified')
}

import * as z from 'zod/mini'
import type { Services } from '../../platform/services.ts'
import { type AuthCall, authCall, json } from '../protocol/auth-call.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { EnrollFactorBody, VerifyFactorBody } from '../protocol/bodies.ts'
import type { PersonClaims } from '../sessions/access-token.ts'
import { callerOf } from '../sessions/authenticate.ts'
import type { Actor } from './audit-fields.ts'
import { enrollFactor, unenrollFactor } from './enroll.ts'
import { type ChallengeRefusal, challengeFactor, type VerifyRefusal, verifyFactor } from './verify.ts'

const FactorParams = z.object({ id: z.uuid('must be the id of a factor') })

/** The protocol's calls for second factors: enrol, challenge, verify, unenrol. */
export function factorCalls(services: Services): AuthCall[] {
  return [enrollCall(services), challengeCall(services), verifyCall(services), unenrollCall(services)]
}

function enrollCall(services: Services): AuthCall {
  return authCall(
    { method: 'POST', path: '/factors', access: 'person', body: EnrollFactorBody, limit: 'mfa' },
    async ({ body, person, request }) => {
      if (body.factor_type === 'phone') {
        throw new AuthError('mfa_phone_enroll_not_enabled', 'Phone factors are not supported')
      }
      if (body.factor_type === 'webauthn') {
        throw new AuthError('mfa_webauthn_enroll_not_enabled', 'Passkeys are not supported')
      }
      const wanted = { friendlyName: body.friendly_name ?? '', issuer: body.issuer || null }
      const made = await enrollFactor(services, await whoIs(services, person), wanted, request)
      if ('refused' in made) throw enrollRefusal(made.refused)
      const { id, friendlyName, qrCode, secret, uri } = made
      return json({ id, type: 'totp', friendly_name: friendlyName, totp: { qr_code: qrCode, secret, uri } })
    },
  )
}

function challengeCall(services: Services): AuthCall {
  return authCall(
    {
      method: 'POST',
      path: '/factors/:id/challenge',
      access: 'person',
      bySso: true,
      params: FactorParams,
      limit: 'mfa',
    },
    async ({ params, person, request }) => {
      const challenge = await challengeFactor(services, await whoIs(services, person), params.id, request)
      if ('refused' in challenge) throw tryRefusal(challenge.refused, 404)
      return json({ id: challenge.id, type: 'totp', expires_at: Math.floor(challenge.expiresAt.getTime() / 1_000) })
    },
  )
}

function verifyCall(services: Services): AuthCall {
  return authCall(
    {
      method: 'POST',
      path: '/factors/:id/verify',
      access: 'person',
      bySso: true,
      params: FactorParams,
      body: VerifyFactorBody,
      limit: 'mfa',
    },
    async ({ params, body, person, request }) => {
      const answer = { factorId: params.id, challengeId: body.challenge_id, code: body.code }
      const session = await verifyFactor(services, await whoIs(services, person), answer, request)
      if ('refused' in session) throw tryRefusal(session.refused, 422)
      return json(session)
    },
  )
}

function unenrollCall(services: Services): AuthCall {
  return authCall(
    { method: 'DELETE', path: '/factors/:id', access: 'person', params: FactorParams },
    async ({ params, person, request }) => {
      const removed = await unenrollFactor(services, await whoIs(services, person), params.id, request)
      if (!('refused' in removed)) return json(removed)
      if (removed.refused === 'unknown') throw tryRefusal('unknown', 404)
      if (removed.refused === 'stale') throw stale()
      throw new AuthError('insufficient_aal', 'Give the code of the second factor before you remove it', {
        status: 422,
      })
    },
  )
}

/** The caller's current state: the token may predate a change of factors. */
async function whoIs(services: Services, person: PersonClaims): Promise<Actor> {
  const caller = await callerOf(services, person)
  if (!caller) throw new AuthError('session_not_found', 'This session has ended')
  return caller
}

function stale(): AuthError {
  return new AuthError('reauthentication_needed', 'Log in again: this requires a login within the last ten minutes')
}

function enrollRefusal(refused: 'name' | 'too-many' | 'level' | 'stale'): AuthError {
  switch (refused) {
    case 'name':
      return new AuthError('mfa_factor_name_conflict', 'A second factor with this name already exists')
    case 'too-many':
      return new AuthError('too_many_enrolled_mfa_factors', 'An account can have ten second factors: remove one first')
    case 'stale':
      return stale()
    case 'level':
      return new AuthError('insufficient_aal', 'Enter the code of your second factor before you add another', {
        status: 403,
      })
  }
}

function tryRefusal(refused: ChallengeRefusal | VerifyRefusal, unknownStatus: number): AuthError {
  switch (refused) {
    case 'unknown':
      return new AuthError('mfa_factor_not_found', 'There is no such second factor or challenge', {
        status: unknownStatus,
      })
    case 'expired':
      return new AuthError('mfa_challenge_expired', 'The challenge expired, or too many codes were wrong: start again')
    case 'address':
      return new AuthError('mfa_ip_address_mismatch', 'The challenge was created from another address: start again')
    case 'wrong':
      return new AuthError('mfa_verification_failed', 'Invalid TOTP code entered')
    case 'too-many':
      return new AuthError('over_request_rate_limit', 'Too many wrong codes: wait a few minutes and try again')
    case 'ended':
      return new AuthError('session_not_found', 'This session has ended')
  }
}

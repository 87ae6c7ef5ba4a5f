import type { Services } from '../../platform/services.ts'
import { knownTokens } from '../sessions/known-tokens.ts'
import { type AuthCall, authCall, json } from './auth-call.ts'

/** Public calls: health, settings and the keys that verify the server's tokens. */
export function publicCalls(services: Services): AuthCall[] {
  const { config } = services
  const health = authCall({ method: 'GET', path: '/health', access: 'public' }, async () =>
    json({ version: 'v1', name: 'Groundswell', description: 'Accounts, in the protocol of Supabase Auth' }),
  )
  const settings = authCall({ method: 'GET', path: '/settings', access: 'public' }, async () =>
    json({
      disable_signup: config.signup !== 'open',
      mailer_autoconfirm: config.authAutoconfirm !== false,
      phone_autoconfirm: false,
      sms_provider: '',
      saml_enabled: false,
      mfa_enabled: true,
      external: { email: true, google: config.google !== undefined, phone: false, anonymous_users: false },
      /** Our extension: false without a mail server, so that the screens can say so. */
      mail_enabled: config.smtpUrl !== undefined,
    }),
  )
  const keys = authCall({ method: 'GET', path: '/.well-known/jwks.json', access: 'public' }, async () => {
    const { published } = await knownTokens(services).ready()
    return { ...json({ keys: published }), headers: { 'cache-control': 'public, max-age=600' } }
  })
  return [health, settings, keys]
}

import * as z from 'zod/mini'
import { route } from '../route.ts'

/** The roles with which people can join through single sign-on. Nobody becomes an owner that way. */
export const SSO_ROLES = ['member', 'viewer'] as const
/** A role that single sign-on can give: see `SSO_ROLES`. */
export type SsoRole = (typeof SSO_ROLES)[number]

/** How many domains of e-mail addresses a workspace may list. */
export const MAX_SSO_DOMAINS = 20

const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

const Domain = z.string().check(z.trim(), z.toLowerCase(), z.regex(DOMAIN, 'is not a domain such as example.com'))

/** What an owner sees of the provider. Its client secret is never returned. `tested_at`: null until a test with these values succeeded. */
export const SsoSettings = z.object({
  issuer: z.string(),
  client_id: z.string(),
  domains: z.array(z.string()),
  default_role: z.enum(SSO_ROLES),
  tested_at: z.nullable(z.string()),
})
export type SsoSettings = z.infer<typeof SsoSettings>

/**
 * `available` is false where a hosted project signs people in. `linked`: the caller has an identity at the provider. `sign_in_link` is for
 * the people of the workspace, `redirect_uri` for the provider. `settings`: null without a provider, and for everyone but owners.
 */
export const getSingleSignOn = route({
  name: 'getSingleSignOn',
  summary: 'How people in the workspace use single sign-on; for owners also its settings',
  method: 'GET',
  path: '/api/team/single-sign-on',
  access: 'viewer',
  reply: z.object({
    available: z.boolean(),
    enabled: z.boolean(),
    required: z.boolean(),
    linked: z.boolean(),
    sign_in_link: z.string(),
    redirect_uri: z.string(),
    settings: z.nullable(SsoSettings),
  }),
  errors: [],
})

/**
 * Without `client_secret` the stored one is kept. Another issuer or client ends the sessions of the previous one, and must be tested and turned on
 * again.
 */
export const saveSingleSignOn = route({
  name: 'saveSingleSignOn',
  summary: 'Set up the OpenID provider of the workspace',
  method: 'PUT',
  path: '/api/team/single-sign-on',
  access: 'owner',
  audit: 'none',
  body: z.object({
    issuer: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
    client_id: z.string().check(z.trim(), z.minLength(1), z.maxLength(300)),
    client_secret: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(1_000))),
    domains: z.array(Domain).check(z.maxLength(MAX_SSO_DOMAINS)),
    default_role: z.enum(SSO_ROLES),
  }),
  reply: z.object({ settings: SsoSettings }),
  errors: ['invalid_input', 'forbidden', 'conflict', 'not_configured'],
  example: () => ({
    body: {
      issuer: 'https://127.0.0.1:9',
      client_id: 'app',
      client_secret: 'secret',
      domains: ['acme.example'],
      default_role: 'viewer',
    },
  }),
})

/** It can be turned on after a successful test. `required`: members and viewers can access the workspace only through it. */
export const switchSingleSignOn = route({
  name: 'switchSingleSignOn',
  summary: 'Turn single sign-on on or off, and require it',
  method: 'PUT',
  path: '/api/team/single-sign-on/state',
  access: 'owner',
  audit: 'none',
  body: z.object({ enabled: z.boolean(), required: z.boolean() }),
  reply: z.object({ enabled: z.boolean(), required: z.boolean() }),
  errors: ['invalid_input', 'forbidden', 'not_found', 'conflict'],
  example: () => ({ body: { enabled: false, required: false } }),
})

export const removeSingleSignOn = route({
  name: 'removeSingleSignOn',
  summary: 'Remove the OpenID provider of the workspace, and end the sessions created through it',
  method: 'DELETE',
  path: '/api/team/single-sign-on',
  access: 'owner',
  audit: 'none',
  reply: z.object({ ok: z.literal(true) }),
  errors: ['forbidden', 'not_found'],
})

/** `url` is a page of the provider, for the browser that makes the call, which gets a cookie that belongs to it. */
export const testSingleSignOn = route({
  name: 'testSingleSignOn',
  summary: 'Start a sign-in at the provider that signs nobody in',
  method: 'POST',
  path: '/api/team/single-sign-on/test',
  access: 'owner',
  audit: 'none',
  reply: z.object({ url: z.string() }),
  errors: ['forbidden', 'not_found', 'provider_unavailable', 'too_many_requests'],
  needs: 'an identity provider',
})

/** The same, of a sign-in that afterwards belongs to the caller's account too. Needs a session that began within ten minutes. */
export const linkSingleSignOn = route({
  name: 'linkSingleSignOn',
  summary: 'Link my account to the provider of the workspace, and sign in through it',
  method: 'POST',
  path: '/api/account/single-sign-on',
  access: 'person',
  ofAccount: true,
  audit: 'none',
  reply: z.object({ url: z.string() }),
  errors: ['reauthentication_needed', 'not_found', 'provider_unavailable', 'too_many_requests'],
  needs: 'an identity provider',
})

import * as z from 'zod/mini'
import { route } from './route.ts'
import { TimeZone } from './values/time-zone.ts'

/**
 * `label`: on screens. `every`: how often it comes, in a sentence. `days`: how many it covers, about. `on`: the days on which it comes: the day of the
 * month, the month and the day of the week of a cron expression; `weekday`: the day of the week that was chosen.
 */
type DigestKindFacts = { label: string; every: string; days: number; on: string }

/** The kinds of digests. */
export const DIGEST_KINDS = {
  daily: { label: 'Daily', every: 'every day', days: 1, on: '* * *' },
  weekly: { label: 'Weekly', every: 'every week', days: 7, on: '* * weekday' },
} satisfies Record<string, DigestKindFacts>
/** How often a digest comes. */
export type DigestKind = keyof typeof DIGEST_KINDS
/** All kinds, in the order in which they are offered. */
export const digestKinds = Object.keys(DIGEST_KINDS) as DigestKind[]

/** Whether a digest comes on a day of the week that is chosen. */
export const hasWeekday = (frequency: DigestFrequency): boolean =>
  frequency !== 'off' && DIGEST_KINDS[frequency].on.includes('weekday')

/** What can be previewed: a digest, or the alerts of the last seven days. */
export const DigestPreviewed = z.enum([...digestKinds, 'alerts'])
export type DigestPreviewed = z.infer<typeof DigestPreviewed>

/** How often. */
export const DigestFrequency = z.enum(['off', ...digestKinds])
export type DigestFrequency = z.infer<typeof DigestFrequency>

const Hour = z.int().check(z.gte(0), z.lte(23))

/** The most themes, and the most customers, that a person watches. */
export const MAX_WATCHED = 100

/**
 * A person's mail settings. `weekday`: 1, Monday, to 7; used where `hasWeekday`. `hour`: from 0, in `time_zone`, as are the hours of `quiet`,
 * during which alerts are held back. `alerts`: `spike`: an insight is mentioned three times as often as usual; `regression`: a resolved one is
 * mentioned again; `themes`: a new insight is in one of these; `customers`: it was mentioned by one of these. `about_me`: what others assign to the
 * person, and comments that mention them; left out, it stays as it is.
 */
export const DigestChoice = z.object({
  frequency: DigestFrequency,
  weekday: z.int().check(z.gte(1), z.lte(7)),
  hour: Hour,
  time_zone: TimeZone,
  alerts: z.object({
    spike: z.boolean(),
    regression: z.boolean(),
    themes: z.array(z.int().check(z.gte(1), z.lte(2_147_483_647))).check(z.maxLength(MAX_WATCHED)),
    customers: z.optional(z.array(z.uuid()).check(z.maxLength(MAX_WATCHED))),
  }),
  quiet: z.nullable(z.object({ from: Hour, until: Hour })),
  about_me: z.optional(z.boolean()),
})
export type DigestChoice = z.infer<typeof DigestChoice>

/** The outcome of a mail, or of a message to a channel: see `DigestMail`. */
export const MailState = z.enum(['waiting', 'sending', 'sent', 'uncertain', 'refused', 'nothing'])
export type MailState = z.infer<typeof MailState>

/**
 * A mail that was due. `notice`: about assignments and mentions. `waiting`: the mail server has refused it so far, and it is retried. `uncertain`:
 * the attempt was interrupted, so it is unknown whether it arrived; it is not repeated. `refused`: the last attempt was refused. `nothing`: there was
 * nothing to report, so none was sent.
 */
export const DigestMail = z.object({
  id: z.string(),
  kind: z.enum(['digest', 'alert', 'notice']),
  at: z.string(),
  state: MailState,
  error: z.nullable(z.string()),
})
export type DigestMail = z.infer<typeof DigestMail>

/**
 * `choice`: null: the person never chose. `about_me`: whether they get mails about assignments and mentions, as they do unless they chose otherwise.
 * `ready`: whether mails can be sent to `address`: no mail server is set up (SMTP_URL), or the address is not confirmed. `mails`: the latest ten.
 */
export const Digest = z.object({
  choice: z.nullable(DigestChoice),
  about_me: z.boolean(),
  next_at: z.nullable(z.string()),
  address: z.string(),
  ready: z.enum(['yes', 'no_mail_server', 'unconfirmed']),
  mails: z.array(DigestMail),
})
export type Digest = z.infer<typeof Digest>

/** The caller’s own settings: every person has their own in each workspace. */
export const getDigest = route({
  name: 'getDigest',
  summary: 'The caller’s mail settings for the workspace, when the next mail is due, and the outcome of the latest',
  method: 'GET',
  path: '/api/digest',
  access: 'viewer',
  reply: Digest,
  errors: [],
})

/** `not_configured`: digests or alerts are turned on, but no mail server is set up, or the caller’s address is not confirmed. */
export const setDigest = route({
  name: 'setDigest',
  summary: 'Change the caller’s mail settings for the workspace',
  method: 'PUT',
  path: '/api/digest',
  access: 'viewer',
  audit: { action: 'mails.chosen' },
  body: DigestChoice,
  reply: Digest,
  errors: ['invalid_input', 'not_configured'],
  example: () => ({
    body: {
      frequency: 'off',
      weekday: 1,
      hour: 9,
      time_zone: 'UTC',
      alerts: { spike: false, regression: false, themes: [] },
      quiet: null,
    },
  }),
})

/**
 * `mail`: `alerts`: the alerts of the last seven days. `nothing`: it would not be sent now. `html` has no remote parts. The unsubscribe links do not
 * work: real ones are created for each mail.
 */
export const previewDigest = route({
  name: 'previewDigest',
  summary: 'A mail as it would be sent to the caller now',
  method: 'GET',
  path: '/api/digest/preview',
  access: 'viewer',
  query: z.object({ mail: DigestPreviewed }),
  reply: z.object({
    to: z.string(),
    subject: z.string(),
    text: z.string(),
    html: z.string(),
    nothing: z.boolean(),
  }),
  errors: ['invalid_input'],
  example: () => ({ query: { mail: 'daily' } }),
})

const Token = z.object({ token: z.string().check(z.maxLength(200)) })

/** The reply is a page for people. Opening it changes nothing, since programs that check links in mails open them too. */
export const showUnsubscribe = route({
  name: 'showUnsubscribe',
  summary: 'The page that the unsubscribe link in a mail opens, which asks for confirmation',
  method: 'GET',
  path: '/api/digest/unsubscribe/{token}',
  access: 'public',
  params: Token,
  reply: z.string(),
  errors: ['invalid_input'],
  example: () => ({ params: { token: 'unknown' } }),
})

/** Takes what mail programs send for `List-Unsubscribe-Post` (RFC 8058), and the button of the page. */
export const unsubscribe = route({
  name: 'unsubscribe',
  summary: 'Stop mails of the kind that contained the link',
  method: 'POST',
  path: '/api/digest/unsubscribe/{token}',
  access: 'public',
  audit: 'none',
  params: Token,
  raw: true,
  reply: z.string(),
  errors: ['invalid_input', 'not_found'],
  needs: 'the token of a mail',
  example: () => ({ params: { token: 'unknown' }, raw: 'List-Unsubscribe=One-Click' }),
})

import { route } from '@groundswell/contract/route.ts'
import * as z from 'zod/mini'
import { call } from '../client/index.ts'

const SENT_KEY = 'oauth-code-sent'
const SCOPES = ['channels:read', 'channels:history', 'groups:history', 'users:read']

const connectSlack = route({
  name: 'connectSlack',
  summary: 'Finish the chat tool’s authorisation with the code it sent back',
  method: 'POST',
  path: '/api/slack/oauth',
  access: 'member',
  body: z.object({ code: z.string(), state: z.optional(z.string()) }),
  reply: z.unknown(),
  errors: [],
})

/** Slack's consent page, with the way back to `origin`/integrations. */
export function slackConsentAddress(clientId: string, origin: string): string {
  const query = new URLSearchParams({
    client_id: clientId,
    scope: SCOPES.join(','),
    redirect_uri: `${origin}/integrations`,
  })
  return `https://slack.com/oauth/v2/authorize?${query}`
}

/** Sends a code to the server, once for each code in this browser tab, also when the page is drawn twice or reloaded. */
export async function sendSlackCode(code: string, state: string | null): Promise<'sent' | 'known'> {
  if (sessionStorage.getItem(SENT_KEY) === code) return 'known'
  sessionStorage.setItem(SENT_KEY, code)
  await call(connectSlack, { body: { code, ...(state === null ? {} : { state }) } })
  return 'sent'
}

import { createHash } from 'node:crypto'
import type { Connector, Context, SignedIn } from '../../connector.ts'

type OAuth = NonNullable<Connector['oauth']>

/** A sign-in that is about to start. */
export type Attempt = {
  oauth: OAuth
  context: Context
  /** The values of the app's form. */
  app: Record<string, string>
  redirectUrl: string
  /** Default: `state-1`. */
  state?: string
  /** Absent: without PKCE. */
  codeVerifier?: string
}

type Decision = 'allow' | 'cancel'

const characters: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
const unescaped = (html = '') => html.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity] ?? entity)

/** The address of the consent page. */
export function addressOf({ oauth, context, app, redirectUrl, state = 'state-1', codeVerifier }: Attempt): string {
  const codeChallenge = codeVerifier && createHash('sha256').update(codeVerifier).digest('base64url')
  return oauth.authorizeUrl(context, app, { redirectUrl, state, ...(codeChallenge ? { codeChallenge } : {}) })
}

/**
 * Decides on a consent page as a person does in a browser: sends its form with its fields. `page`: its HTML. `back`: the address that
 * follows. Throws where there is nothing to decide.
 */
export async function decide(address: string, decision: Decision = 'allow'): Promise<{ page: string; back: URL }> {
  const page = await (await fetch(address)).text()
  const [, action] = /<form method="post" action="([^"]*)"/.exec(page) ?? []
  if (action === undefined) throw new Error(`There is nothing to decide: ${page}`)
  const fields = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
  const body = new URLSearchParams([
    ...fields.map(([, name, value]): [string, string] => [unescaped(name), unescaped(value)]),
    ['decision', decision],
  ])
  const answer = await fetch(new URL(unescaped(action), address), { method: 'POST', body, redirect: 'manual' })
  if (answer.status !== 303) throw new Error(`The decision was answered with ${answer.status}`)
  return { page, back: new URL(answer.headers.get('location') ?? '') }
}

/** The address to which the browser is sent back with the decision of a person. */
export const consent = async (attempt: Attempt, decision?: Decision): Promise<URL> =>
  (await decide(addressOf(attempt), decision)).back

/** The code with which a person comes back who allowed the app. */
export const codeOf = async (attempt: Attempt): Promise<string> =>
  (await consent(attempt)).searchParams.get('code') ?? ''

/** Exchanges a code as the core does; by default that of a person who allows the app. */
export async function signIn(attempt: Attempt, code?: string): Promise<SignedIn> {
  const { oauth, context, app, redirectUrl, codeVerifier } = attempt
  const given = { redirectUrl, code: code ?? (await codeOf(attempt)) }
  return oauth.exchange(context, app, { ...given, ...(codeVerifier === undefined ? {} : { codeVerifier }) })
}

import { escapeHtml, page } from '../page.ts'
import { SUBDOMAIN } from './account.ts'

const MEANING: Record<string, string> = {
  read: 'Read tickets, comments and people',
  'webhooks:write': 'Create and remove webhooks',
}
const KEPT = ['client_id', 'redirect_uri', 'response_type', 'state', 'scope', 'code_challenge', 'code_challenge_method']

/** The page on which an administrator approves the client. `values` are those of the address and are sent with the decision. */
export function consentHtml(values: URLSearchParams): string {
  const hidden = KEPT.filter((name) => values.has(name))
    .map((name) => `<input type="hidden" name="${name}" value="${escapeHtml(values.get(name) ?? '')}">`)
    .join('')
  const scopes = (values.get('scope') ?? '').split(' ').filter(Boolean)
  return page(
    'Groundswell wants to read your Zendesk',
    `<p>This is the sandbox: a stand-in for Zendesk on this machine, with the made-up account ${SUBDOMAIN}.</p>
<ul>${scopes.map((scope) => `<li>${escapeHtml(MEANING[scope] ?? scope)}</li>`).join('')}</ul>
<form method="post" action="/oauth/authorizations/new">${hidden}
<button name="decision" value="cancel">Deny</button><button name="decision" value="allow">Allow</button></form>`,
  )
}

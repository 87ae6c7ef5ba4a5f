import { escapeHtml, page } from '../page.ts'
import { TEAM } from './workspace.ts'

const MEANING: Record<string, string> = {
  'channels:history': 'Read messages in public channels that it is in',
  'channels:read': 'See public channels',
  'groups:history': 'Read messages in private channels that it is in',
  'groups:read': 'See private channels that it is in',
  'users:read': 'See the names of people',
  'team:read': 'See the name of the workspace',
  'chat:write': 'Post messages in channels that it is in',
}

/** The page on which a person approves the app. `values` are those of the address and are sent with the decision. */
export function consentHtml(values: URLSearchParams): string {
  const hidden = ['client_id', 'redirect_uri', 'state', 'scope']
    .map((name) => `<input type="hidden" name="${name}" value="${escapeHtml(values.get(name) ?? '')}">`)
    .join('')
  const scopes = (values.get('scope') ?? '').split(',').filter(Boolean)
  return page(
    scopes.includes('chat:write') ? 'Groundswell wants to post to your Slack' : 'Groundswell wants to read your Slack',
    `<p>This is the sandbox: a stand-in for Slack on this machine, with the made-up workspace ${TEAM.name}.</p>
<ul>${scopes.map((scope) => `<li>${escapeHtml(MEANING[scope] ?? scope)}</li>`).join('')}</ul>
<form method="post" action="/oauth/v2/authorize">${hidden}
<button name="decision" value="cancel">Cancel</button><button name="decision" value="allow">Allow</button></form>`,
  )
}

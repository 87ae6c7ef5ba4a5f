import { escapeHtml, page } from '../page.ts'

const MEANING: Record<string, string> = {
  'read:jira-work': 'Read projects and issues',
  'write:jira-work': 'Create and change issues',
  'read:jira-user': 'See who is signed in, and people',
  'manage:jira-webhook': 'Register webhooks',
  offline_access: 'Stay signed in',
}
const KEPT = ['audience', 'client_id', 'redirect_uri', 'response_type', 'state', 'scope']

/** The page on which a person approves the app. `values` are those of the address and are sent with the decision. */
export function consentHtml(values: URLSearchParams, sites: readonly { host: string }[]): string {
  const hidden = KEPT.filter((name) => values.has(name))
    .map((name) => `<input type="hidden" name="${name}" value="${escapeHtml(values.get(name) ?? '')}">`)
    .join('')
  const scopes = (values.get('scope') ?? '').split(' ').filter(Boolean)
  const hosts = sites.map(({ host }) => escapeHtml(host)).join(', ')
  return page(
    'Groundswell wants to use your Jira',
    `<p>This is the sandbox: a stand-in for Atlassian on this machine, with the made-up site ${hosts}.</p>
<ul>${scopes.map((scope) => `<li>${escapeHtml(MEANING[scope] ?? scope)}</li>`).join('')}</ul>
<form method="post" action="/authorize">${hidden}
<button name="decision" value="cancel">Cancel</button><button name="decision" value="allow">Accept</button></form>`,
  )
}

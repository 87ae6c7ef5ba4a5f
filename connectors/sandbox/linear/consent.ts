import { escapeHtml, page } from '../page.ts'

const MEANING: Record<string, string> = {
  read: 'Read teams, projects and issues',
  write: 'Change issues and comments',
  'issues:create': 'Create issues',
  'comments:create': 'Write comments',
}
const KEPT = ['client_id', 'redirect_uri', 'response_type', 'state', 'scope', 'code_challenge', 'code_challenge_method']

/** The page on which a person approves the application. `values` are those of the address and are sent with the decision. */
export function consentHtml(values: URLSearchParams, workspace: string): string {
  const hidden = KEPT.filter((name) => values.has(name))
    .map((name) => `<input type="hidden" name="${name}" value="${escapeHtml(values.get(name) ?? '')}">`)
    .join('')
  const scopes = (values.get('scope') ?? '').split(',').filter(Boolean)
  return page(
    'Groundswell wants to use your Linear',
    `<p>This is the sandbox: a stand-in for Linear on this machine, with the made-up workspace ${escapeHtml(workspace)}.</p>
<ul>${scopes.map((scope) => `<li>${escapeHtml(MEANING[scope] ?? scope)}</li>`).join('')}</ul>
<form method="post" action="/oauth/authorize">${hidden}
<button name="decision" value="cancel">Cancel</button><button name="decision" value="allow">Allow</button></form>`,
  )
}

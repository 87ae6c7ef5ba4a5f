import { escapeHtml, page } from '../page.ts'
import { WORKSPACE } from './workspace.ts'

const KEPT = ['client_id', 'redirect_uri', 'state']

/** The page on which a teammate installs the app. `values` are those of the address and are sent with the decision. */
export function consentHtml(values: URLSearchParams): string {
  const hidden = KEPT.filter((name) => values.has(name))
    .map((name) => `<input type="hidden" name="${name}" value="${escapeHtml(values.get(name) ?? '')}">`)
    .join('')
  return page(
    'Groundswell wants to read your Intercom',
    `<p>This is the sandbox: a stand-in for Intercom on this machine, with the made-up workspace ${WORKSPACE}.</p>
<ul><li>Read conversations</li><li>Read tags</li><li>Read admins</li></ul>
<form method="post" action="/oauth">${hidden}
<button name="decision" value="cancel">Deny</button><button name="decision" value="allow">Authorize access</button></form>`,
  )
}

import { escapeHtml, page } from '../page.ts'

const KEPT = ['client_id', 'state']
export const CONSENT_PATH = '/authentication/authorizeClientApplication'

/** The page on which a person approves the app. `values` are those of the address and are sent with the decision. */
export function consentHtml(values: URLSearchParams): string {
  const hidden = KEPT.filter((name) => values.has(name))
    .map((name) => `<input type="hidden" name="${name}" value="${escapeHtml(values.get(name) ?? '')}">`)
    .join('')
  return page(
    'Groundswell wants to use your Help Scout account',
    `<p>This is the sandbox: a stand-in for Help Scout on this machine, with a made-up account.</p>
<ul><li>It may do what you may</li></ul>
<form method="post" action="${CONSENT_PATH}">${hidden}
<button name="decision" value="cancel">Deny</button><button name="decision" value="allow">Authorize</button></form>`,
  )
}

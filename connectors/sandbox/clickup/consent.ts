import { escapeHtml, page } from '../page.ts'

const KEPT = ['client_id', 'redirect_uri', 'state']

/** The page on which a person allows workspaces. `values` are those of the address and are sent with the decision. */
export function consentHtml(values: URLSearchParams, workspaces: readonly string[]): string {
  const hidden = KEPT.filter((name) => values.has(name))
    .map((name) => `<input type="hidden" name="${name}" value="${escapeHtml(values.get(name) ?? '')}">`)
    .join('')
  return page(
    'Groundswell wants to use your ClickUp',
    `<p>This is the sandbox: a stand-in for ClickUp on this machine, with made-up workspaces.</p>
<ul>${workspaces.map((name) => `<li>${escapeHtml(name)}</li>`).join('')}</ul>
<form method="post" action="/api">${hidden}
<button name="decision" value="cancel">Cancel</button><button name="decision" value="allow">Allow</button></form>`,
  )
}

import { escapeHtml, page } from '../page.ts'

const KEPT = ['client_id', 'redirect_uri', 'response_type', 'state', 'scope', 'code_challenge', 'code_challenge_method']

/** The page on which a person allows the app. `values` are those of the address and are sent with the decision. */
export function consentHtml(path: string, values: URLSearchParams, person: string): string {
  const hidden = KEPT.filter((name) => values.has(name))
    .map((name) => `<input type="hidden" name="${name}" value="${escapeHtml(values.get(name) ?? '')}">`)
    .join('')
  return page(
    'Groundswell wants to use your Azure DevOps',
    `<p>This is the sandbox: a stand-in for Microsoft on this machine. You are ${escapeHtml(person)}.</p>
<ul><li>Read projects and teams</li><li>Read and write work items</li></ul>
<form method="post" action="${escapeHtml(path)}">${hidden}
<button name="decision" value="cancel">Cancel</button><button name="decision" value="allow">Allow</button></form>`,
  )
}

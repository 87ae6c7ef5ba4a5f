import { escapeHtml, page } from '../page.ts'
import type { OpenIdPerson } from './people.ts'

const KEPT = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'access_type',
]

/** The page on which a person chooses an account. `values` are those of the address and are sent with the choice. */
export function chooseHtml(values: URLSearchParams, people: readonly OpenIdPerson[]): string {
  const hidden = KEPT.filter((name) => values.has(name))
    .map((name) => `<input type="hidden" name="${name}" value="${escapeHtml(values.get(name) ?? '')}">`)
    .join('')
  const choices = people
    .map(
      ({ sub, name, email, emailVerified }) =>
        `<button class="person" name="person" value="${escapeHtml(sub)}">${escapeHtml(name)}<small>${escapeHtml(email)}${
          emailVerified ? '' : ', not verified'
        }</small></button>`,
    )
    .join('')
  return page(
    'Choose an account',
    `<p>This is the sandbox: a stand-in for Google on this machine, with made-up people.</p>
<form method="post" action="/authorize">${hidden}${choices}<button name="person" value="">Cancel</button></form>`,
  )
}

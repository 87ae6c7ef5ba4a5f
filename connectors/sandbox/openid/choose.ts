import { hiddenFields } from '../consent.ts'
import { escapeHtml, page } from '../page.ts'
import type { OpenIdPerson } from './people.ts'

/** The page on which a person chooses an account. `values` are those of the address and are sent with the choice. */
export function chooseHtml(values: URLSearchParams, people: readonly OpenIdPerson[]): string {
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
<form method="post" action="/authorize">${hiddenFields(values)}${choices}<button name="person" value="">Cancel</button></form>`,
  )
}

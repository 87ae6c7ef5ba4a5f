import type { IncomingMessage, ServerResponse } from 'node:http'
import { escapeHtml, page, refusalHtml } from './page.ts'

/** What a person reads on a consent page. All of it is text. */
export type ConsentWords = {
  title: string
  /** Whose stand-in it is, and who or what it makes up; follows "This is the sandbox: a stand-in for". */
  about: string
  permissions: readonly string[]
  /** The path to which the decision is sent. */
  action: string
  /** Default: Cancel. */
  cancel?: string
  /** Default: Allow. */
  allow?: string
}

/** The fields of a request, hidden in a form. */
export function hiddenFields(values: URLSearchParams): string {
  return [...values]
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('')
}

/** The page on which a person approves an app. `values` are those of the address and are sent with the decision. */
function consentHtml(values: URLSearchParams, words: ConsentWords): string {
  const { title, about, permissions, action, cancel = 'Cancel', allow = 'Allow' } = words
  return page(
    title,
    `<p>This is the sandbox: a stand-in for ${escapeHtml(about)}</p>
<ul>${permissions.map((permission) => `<li>${escapeHtml(permission)}</li>`).join('')}</ul>
<form method="post" action="${escapeHtml(action)}">${hiddenFields(values)}
<button name="decision" value="cancel">${escapeHtml(cancel)}</button><button name="decision" value="allow">${escapeHtml(allow)}</button></form>`,
  )
}

/** The scopes of a request as sentences; one without a meaning is shown as it is. */
export function scopeWords(
  values: URLSearchParams,
  meanings: Readonly<Record<string, string>>,
  separator = ' ',
): string[] {
  const scopes = (values.get('scope') ?? '').split(separator).filter(Boolean)
  return scopes.map((scope) => meanings[scope] ?? scope)
}

/** A provider's consent page. `values`: the fields of a request to sign in. */
export type ConsentPage = {
  /** Why there is nothing to decide, or null. */
  problem(values: URLSearchParams): string | null
  words(values: URLSearchParams): ConsentWords
  /** Where the browser goes after the decision on a request without a problem. */
  decide(values: URLSearchParams): string
}

const HTML = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }

/** Answers a request for a consent page, given the fields of its address and its body: a POST is the decision. */
export function answerConsent(
  { method }: Pick<IncomingMessage, 'method'>,
  response: ServerResponse,
  values: URLSearchParams,
  consent: ConsentPage,
): void {
  const problem = consent.problem(values)
  if (problem !== null) response.writeHead(400, HTML).end(refusalHtml(problem))
  else if (method === 'POST') response.writeHead(303, { location: consent.decide(values) }).end()
  else response.writeHead(200, HTML).end(consentHtml(values, consent.words(values)))
}

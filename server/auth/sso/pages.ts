import { type Html, html, pagePolicy } from '../../platform/html.ts'
import type { OpenIdPerson } from '../openid/provider.ts'

const STYLE = `
:root { color-scheme: light dark; --page: #f7f8f8; --card: #fff; --text: #1a2423; --muted: #586664; --line: #dfe5e4; --link: #17655f; }
@media (prefers-color-scheme: dark) {
  :root { --page: #111716; --card: #19211f; --text: #e6eceb; --muted: #9baba8; --line: #2d3836; --link: #6cc7be; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 480px; margin: 12vh auto 48px; padding: 24px; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
h1 { font-size: 20px; line-height: 1.3; margin: 0; }
p { margin: 12px 0 0; }
dl { margin: 16px 0 0; display: grid; grid-template-columns: auto 1fr; gap: 4px 16px; }
dt { color: var(--muted); }
dd { margin: 0; }
a { color: var(--link); }
.main { display: inline-block; padding: 6px 16px; border-radius: 6px; background: var(--link); color: var(--card); text-decoration: none; }
@media (max-width: 520px) { main { margin: 16px; padding: 20px; } }
`

/** The headers of the pages below, besides those of all replies. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': pagePolicy(STYLE),
  'x-robots-tag': 'noindex, nofollow',
}

/**
 * The confirmation page of a workspace's sign-in link, before the redirect to its provider: otherwise a link could sign a visitor in to somebody
 * else's workspace unnoticed (login CSRF). `path`: that of the link.
 */
export function confirmationPage(workspace: string, issuer: string, path: string): string {
  // Over http, only the Referer shows that a request comes from this page.
  return pageOf(
    `Sign in to the workspace “${workspace}”`,
    html`<p>You continue at <b>${new URL(issuer).host}</b>, its identity provider. Continue only if you know both.</p>
<p><a class="main" href="${path}" referrerpolicy="same-origin">Continue</a></p>`,
    { href: '/auth', text: 'Other ways to log in' },
  )
}

/** The page after a successful test: who the person is according to the provider, so that an owner sees what it sends. */
export function testedPage({ email, emailVerified, name, subject }: OpenIdPerson): string {
  const verified = emailVerified === null ? 'not stated' : emailVerified ? 'yes' : 'no'
  return pageOf(
    'The test succeeded',
    html`<p>Nobody was signed in and nothing was linked. The identity provider answered:</p>
<dl><dt>Name</dt><dd>${name ?? 'none'}</dd><dt>Email</dt><dd>${email ?? 'none'}</dd><dt>Email verified</dt><dd>${verified}</dd>
<dt>Subject</dt><dd>${subject}</dd></dl>`,
  )
}

/** A page that says what went wrong. */
export function testFailedPage(title: string, text: string): string {
  return pageOf(title, html`<p>${text}</p>`)
}

function pageOf(title: string, body: Html, back = { href: '/settings/team', text: 'Back to Settings' }): string {
  return `<!doctype html>${
    html`<html lang="en"><head><meta charset="utf-8"><title>${title} · Groundswell</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${{ html: STYLE }}</style></head>
<body><main><h1>${title}</h1>${body}<p><a href="${back.href}">${back.text}</a></p></main></body></html>`.html
  }`
}

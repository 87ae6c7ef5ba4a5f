const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const STYLE = `
:root { color-scheme: light dark; --line: #d9d9de; --quiet: #5d5d68; --page: #fafafa; --card: #fff; --ink: #1d1c1d; --go: #15603f }
@media (prefers-color-scheme: dark) {
  :root { --line: #3a3a42; --quiet: #a5a5b0; --page: #17171a; --card: #202024; --ink: #ededf0; --go: #2b8a5f }
}
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif }
main { max-width: 460px; width: 100%; padding: 32px; border: 1px solid var(--line); border-radius: 12px; background: var(--card) }
h1 { margin: 0 0 8px; font-size: 22px; line-height: 1.3; text-wrap: balance }
p, li { color: var(--quiet) }
ul { margin: 16px 0 24px; padding-left: 20px }
form { display: flex; gap: 12px; justify-content: flex-end; flex-wrap: wrap }
button { min-height: 44px; padding: 0 20px; border: 1px solid var(--line); border-radius: 8px; background: none; color: inherit;
  font: inherit; cursor: pointer }
button[value=allow] { background: var(--go); border-color: var(--go); color: #fff; font-weight: 600 }
button.person { width: 100%; padding: 10px 20px; text-align: left }
button.person small { display: block; color: var(--quiet) }
button:focus-visible { outline: 3px solid #4c8df6; outline-offset: 2px }`

/** Escapes text for HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character)
}

/** A page of a provider's stand-in with a decision for a person. `body` is HTML. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`
}

/** A page that explains why there is nothing to decide. */
export function refusalHtml(reason: string): string {
  return page('This cannot be allowed', `<p>${escapeHtml(reason)}</p>`)
}

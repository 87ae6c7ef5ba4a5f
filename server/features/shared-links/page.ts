import { type Html, html, pagePolicy } from '../../platform/html.ts'

const STYLE = `
:root { color-scheme: light dark; --page: #f7f8f8; --card: #fff; --text: #1a2423; --muted: #586664; --line: #dfe5e4; --bar: #1f7a73; }
@media (prefers-color-scheme: dark) {
  :root { --page: #111716; --card: #19211f; --text: #e6eceb; --muted: #9baba8; --line: #2d3836; --bar: #4fb3aa; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 720px; margin: 0 auto; padding: 40px 20px 64px; }
h1 { font-size: 24px; line-height: 1.3; margin: 0; }
h2 { font-size: 15px; margin: 36px 0 10px; }
p { margin: 12px 0; }
.eyebrow, .note, dt, figcaption, .by { color: var(--muted); font-size: 14px; }
figcaption { margin-top: 6px; }
.eyebrow { margin: 0 0 6px; }
.summary { font-size: 17px; white-space: pre-line; }
dl { display: flex; flex-wrap: wrap; gap: 12px 32px; margin: 24px 0 0; }
dd { margin: 0; font-weight: 600; }
figure { margin: 28px 0 0; }
svg { display: block; width: 100%; height: 72px; fill: var(--bar); }
ul { list-style: none; margin: 0; padding: 0; }
li { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 14px 16px; margin: 0 0 10px; }
blockquote { margin: 0 0 6px; white-space: pre-line; }
.by { margin: 0; }
.table { overflow-x: auto; margin-top: 24px; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 10px 14px; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child td { border-bottom: 0; }
th { font-size: 14px; color: var(--muted); font-weight: 600; white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.date { white-space: nowrap; }
footer { margin-top: 40px; border-top: 1px solid var(--line); padding-top: 14px; }
@media (max-width: 480px) { main { padding: 24px 16px 48px; } h1 { font-size: 21px; } .wide { display: none; } }
`

/** The content security policy of the pages. */
export const PAGE_POLICY = pagePolicy(STYLE)

/** A whole page. */
export function pageOf(title: string, body: Html): string {
  return `<!doctype html>${
    html`<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer"><style>${{ html: STYLE }}</style></head>
<body><main>${body}</main></body></html>`.html
  }`
}

/** A page with a single message. */
export function messagePage(title: string, text: string): string {
  return pageOf(title, html`<h1>${title}</h1><p>${text}</p>`)
}

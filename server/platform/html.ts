import { createHash } from 'node:crypto'

/** HTML that is safe to be put into a page: made by `html` only, or by the caller from constants. */
export type Html = { readonly html: string }

type Part = string | number | Html | readonly Html[] | null

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text in HTML, also between quotes. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '')
}

/** Escapes every inserted text. Null inserts nothing. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: texts.map((text, at) => `${at === 0 ? '' : markup(parts[at - 1] ?? null)}${text}`).join('') }
}

function markup(part: Part): string {
  if (part === null) return ''
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return 'html' in part ? part.html : part.map((one) => one.html).join('')
}

/**
 * The content security policy of a page without scripts: no request and no frame. Its style is allowed by its hash, so that nothing else that got into
 * the page could add one. `forms`: where its forms may be sent.
 */
export function pagePolicy(style: string, forms: "'none'" | "'self'" = "'none'"): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "object-src 'none'",
    "base-uri 'none'",
    `form-action ${forms}`,
    "frame-ancestors 'none'",
  ].join('; ')
}

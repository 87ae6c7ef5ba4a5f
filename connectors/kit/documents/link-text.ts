/** A longer address is one for tracking: its query says nothing to a reader. */
const MAX_ADDRESS = 200

/**
 * A link as plain text: its label, and the address in parentheses where the label does not show it. Only addresses of the web,
 * mail and telephone are shown. `label` is always the beginning of the result.
 */
export function linkText(label: string, href: string): string {
  const address = addressOf(href.trim())
  const words = label.trim()
  if (address === '' || words === '') return label
  const plain = (text: string) =>
    text
      .replace(/^(?:https?:\/\/)?(?:www\.)?/i, '')
      .replace(/\/$/, '')
      .toLowerCase()
  return plain(words) === plain(address) ? label : `${label} (${address})`
}

function addressOf(href: string): string {
  const direct = /^(?:mailto|tel):(.*)$/i.exec(href)
  if (direct) return direct[1]?.split('?')[0] ?? ''
  if (!/^https?:\/\//i.test(href) || !URL.canParse(href)) return ''
  const shown = href.length <= MAX_ADDRESS ? href : `${new URL(href).origin}${new URL(href).pathname}`
  return /[\s<>]/.test(shown) || shown.length > MAX_ADDRESS ? new URL(href).origin : shown
}

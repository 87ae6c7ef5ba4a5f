import type { PostLine, PostPart } from '../poster.ts'

/**
 * Lines as Slack's markup. The control characters of Slack are escaped (`&`, `<`, `>`), so that no text becomes a link, a mention or a call to
 * everyone in a channel.
 */
export function slackText(lines: readonly PostLine[]): string {
  return lines.map(({ parts, bold }) => lineText(parts.map(partText).join(''), bold === true)).join('\n')
}

/** Slack reads a star inside bold text as its end. */
const lineText = (text: string, bold: boolean) => (bold && text !== '' ? `*${text.replaceAll('*', '∗')}*` : text)

function partText(part: PostPart): string {
  if (typeof part === 'string') return escaped(part)
  return `<${address(part.url)}|${escaped(part.text.replaceAll('|', '¦'))}>`
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** An address inside a link: nothing in it may end the link. */
const address = (url: string) => escaped(new URL(url).href.replaceAll('|', '%7C'))

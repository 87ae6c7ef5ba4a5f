import {
  type Block,
  type DocumentOptions,
  fitDocument,
  type InsightDocument,
  type Line,
  type Span,
} from './insight-document.ts'

/**
 * An insight as GitHub-flavoured Markdown. Customers' words appear as they were typed: every character with a meaning is escaped.
 * With `hiddenMarker` the uuid is also in an HTML comment at the end, for trackers that keep comments.
 */
export function documentMarkdown(
  document: InsightDocument,
  { hiddenMarker = false, ...options }: DocumentOptions & { hiddenMarker?: boolean } = {},
): string {
  const comment = hiddenMarker ? `\n\n<!-- insight:${document.marker.replace(/[^\w-]/g, '').slice(0, 64)} -->` : ''
  const render = (blocks: readonly Block[]) => blocks.map(blockMarkdown).join('\n\n') + comment
  return fitDocument(document, options, render, (text) => text.length)
}

function blockMarkdown(block: Block): string {
  if (block.kind === 'heading') return `### ${escape(block.text)}`
  // Two spaces are a line break in every dialect; a line break alone is one in some.
  const prefix = block.kind === 'quote' ? '> ' : ''
  return paragraphs(block.lines)
    .map((lines) => lines.map((line) => `${prefix}${lineMarkdown(line)}`).join('  \n'))
    .join(`\n${prefix.trim()}\n`)
}

/** Groups of lines, separated by the empty ones. */
function paragraphs(lines: readonly Line[]): Line[][] {
  const groups: Line[][] = [[]]
  for (const line of lines) {
    if (line.length === 0) groups.push([])
    else groups.at(-1)?.push(line)
  }
  return groups.filter((group) => group.length > 0)
}

/** A number at the start of a line would make it a list. */
const lineMarkdown = (line: Line) =>
  line
    .map(spanMarkdown)
    .join('')
    .replace(/^(\d{1,9})([.)])/, '$1\\$2')

function spanMarkdown({ text, strong, code, href }: Span): string {
  if (code) return `\`${text.replaceAll('`', '')}\``
  if (href) return `[${escape(text)}](${href})`
  return strong ? `**${escape(text)}**` : escape(text)
}

/** CommonMark allows a backslash before any ASCII punctuation; only the characters with a meaning somewhere get one. */
function escape(text: string): string {
  return text.replace(/[\\`*_{}[\]()<>#+\-!|~&$^=]/g, '\\$&')
}

import {
  type Block,
  type DocumentOptions,
  fitDocument,
  type InsightDocument,
  type Line,
  type Span,
} from './insight-document.ts'

/** A node of the Atlassian Document Format. */
export type AdfNode = {
  type: string
  attrs?: Readonly<Record<string, unknown>>
  content?: readonly AdfNode[]
  text?: string
  marks?: readonly { type: string; attrs?: Readonly<Record<string, unknown>> }[]
}
/** The root of a document in the Atlassian Document Format, version 1. */
export type AdfDocument = { type: 'doc'; version: 1; content: readonly AdfNode[] }

/**
 * An insight in the Atlassian Document Format. Customers' words are text nodes, in which nothing is markup. `maxLength` applies to
 * the JSON, which is longer than the shown text.
 */
export function documentAdf(document: InsightDocument, options: DocumentOptions = {}): AdfDocument {
  const render = (blocks: readonly Block[]): AdfDocument => ({
    type: 'doc',
    version: 1,
    content: blocks.map(blockNode),
  })
  return fitDocument(document, options, render, (adf) => JSON.stringify(adf).length)
}

function blockNode(block: Block): AdfNode {
  if (block.kind === 'heading') {
    return { type: 'heading', attrs: { level: 3 }, content: [{ type: 'text', text: block.text }] }
  }
  const paragraph: AdfNode = { type: 'paragraph', content: inline(block.lines) }
  return block.kind === 'quote' ? { type: 'blockquote', content: [paragraph] } : paragraph
}

function inline(lines: readonly Line[]): AdfNode[] {
  return lines.flatMap((line, index) => [
    ...(index > 0 ? [{ type: 'hardBreak' }] : []),
    // An empty text node makes the whole document invalid.
    ...line.filter(({ text }) => text !== '').map(textNode),
  ])
}

function textNode({ text, strong, code, href }: Span): AdfNode {
  const marks = [
    ...(href ? [{ type: 'link', attrs: { href } }] : []),
    ...(strong ? [{ type: 'strong' }] : []),
    ...(code ? [{ type: 'code' }] : []),
  ]
  return marks.length > 0 ? { type: 'text', text, marks } : { type: 'text', text }
}

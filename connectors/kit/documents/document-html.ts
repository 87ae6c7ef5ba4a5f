import {
  type Block,
  type DocumentOptions,
  fitDocument,
  type InsightDocument,
  type Line,
  type Span,
} from './insight-document.ts'

/** An insight as HTML of few elements, for trackers whose rich text is HTML. Customers' words are text: nothing of them is markup. */
export function documentHtml(document: InsightDocument, options: DocumentOptions = {}): string {
  const render = (blocks: readonly Block[]) => blocks.map(blockHtml).join('\n')
  return fitDocument(document, options, render, (html) => html.length)
}

function blockHtml(block: Block): string {
  if (block.kind === 'heading') return `<h3>${escape(block.text)}</h3>`
  const lines = block.lines.map(lineHtml).join('<br>')
  return block.kind === 'quote' ? `<blockquote>${lines}</blockquote>` : `<p>${lines}</p>`
}

const lineHtml = (line: Line) => line.map(spanHtml).join('')

function spanHtml({ text, strong, code, href }: Span): string {
  if (href) return `<a href="${escape(href)}">${escape(text)}</a>`
  if (code) return `<code>${escape(text)}</code>`
  return strong ? `<strong>${escape(text)}</strong>` : escape(text)
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? mark)
}

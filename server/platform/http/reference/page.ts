import { escaped, pagePolicy } from '../../html.ts'
import { fieldItem, fieldsOf, type Schema } from './fields.ts'
import { STYLE } from './style.ts'
import { withCode } from './with-code.ts'

type Content = { 'application/json'?: { schema: Schema; example?: unknown } }
type Parameter = { name: string; in: string; required: boolean; schema: Schema; example?: unknown }
type Operation = {
  operationId: string
  summary: string
  tags: [string]
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; content: Content }>
}
type Document = { tags: { name: string; description: string }[]; paths: Record<string, Record<string, Operation>> }
type Call = Operation & { method: string; path: string }

const CLOSED = 'no key'

/**
 * The OpenAPI document as a page for people: the calls of API keys in full, the others by name. It has no script, and its policy allows
 * nothing but its own style.
 */
export function referencePage(described: Record<string, unknown>): { html: string; policy: string } {
  const document = described as unknown as Document
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )
  const groups = document.tags.map((tag) => ({ ...tag, calls: calls.filter(({ tags }) => tags[0] === tag.name) }))
  const open = groups.filter(({ name }) => name !== CLOSED)
  const closed = groups.find(({ name }) => name === CLOSED)
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>API reference · Groundswell</title>
<style>${STYLE}</style>
</head>
<body>
<div class="page">
<nav aria-label="Calls">
<p>Groundswell API</p>
${open.map(({ name, calls: ones }) => `<h2>${escaped(name)}</h2><ul>${ones.map(link).join('')}</ul>`).join('')}
</nav>
<main>
<h1>API reference</h1>
<p class="lead">Send an API key with each call: <code>Authorization: Bearer gsk_…</code>. Create one in Settings › Developers. Bodies and replies are JSON.</p>
<p class="lead">The same as <a href="/api/openapi.json">OpenAPI 3.1</a>, for programs that read it. Agents use the MCP server at <code>/api/mcp</code>.</p>
${open.map((group) => section(group.name, group.description, group.calls.map(article).join(''))).join('')}
${closed ? section(closed.name, closed.description, `<details><summary>${closed.calls.length} calls</summary><ul class="plain">${closed.calls.map(line).join('')}</ul></details>`) : ''}
</main>
</div>
</body>
</html>`
  return { html, policy: pagePolicy(STYLE) }
}

function section(name: string, description: string, content: string): string {
  return `<section><h2>${escaped(description.split(': ')[0]?.replaceAll('`', '') ?? name)}</h2>${content}</section>`
}

function link({ operationId }: Call): string {
  return `<li><a href="#${escaped(operationId)}">${escaped(operationId)}</a></li>`
}

function line({ method, path, summary }: Call): string {
  return `<li><code>${method} ${escaped(path)}</code><br>${withCode(summary)}</li>`
}

function article(call: Call): string {
  const { operationId, summary, method, path, parameters = [], requestBody, responses } = call
  const body = requestBody?.content['application/json']
  const reply = responses['200']?.content['application/json']
  const errors = Object.entries(responses).flatMap(([status, { description }]) =>
    status === '200' ? [] : [`${status} ${description}`],
  )
  return `<article id="${escaped(operationId)}">
<h3>${escaped(operationId)}</h3>
<p class="call"><code class="method">${method}</code> <code>${escaped(path)}</code></p>
<p>${withCode(summary)}.</p>
${parameters.length > 0 ? `<h4>Parameters</h4><ul class="fields">${parameters.map(({ name, schema, required }) => fieldItem(name, schema, required)).join('')}</ul>` : ''}
${body ? `<h4>Body</h4>${folded('Fields', fieldsOf(body.schema))}${sample(`Body of ${operationId}`, body.example)}` : ''}
${reply ? `<h4>Reply</h4>${folded('Fields', fieldsOf(reply.schema))}${sample(`Reply of ${operationId}`, reply.example)}` : ''}
<p class="errors">Errors: ${escaped(errors.join(' · '))}</p>
</article>`
}

function folded(title: string, content: string): string {
  return content === '' ? '' : `<details><summary>${title}</summary>${content}</details>`
}

/** It can be scrolled by keyboard. */
function sample(label: string, example: unknown): string {
  if (example === undefined) return ''
  const json = escaped(JSON.stringify(example, null, 2))
  return `<pre tabindex="0" role="region" aria-label="${escaped(label)}"><code>${json}</code></pre>`
}

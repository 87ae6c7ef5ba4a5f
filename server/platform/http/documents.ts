import type { FastifyInstance } from 'fastify'

/** Serves what describes the calls: the OpenAPI document, and the same for people. Both are built when they are first requested. */
export function serveDocuments(app: FastifyInstance): void {
  let document: Promise<string> | undefined
  let page: Promise<{ html: string; policy: string }> | undefined
  app.get('/api/openapi.json', async (_request, reply) => {
    document ??= describe().then((described) => JSON.stringify(described))
    return reply
      .header('cache-control', 'no-cache')
      .type('application/json; charset=utf-8')
      .send(await document)
  })
  app.get('/api/reference', async (_request, reply) => {
    page ??= renderPage()
    const { html, policy } = await page
    return reply
      .header('cache-control', 'no-cache')
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send(html)
  })
}

async function describe(): Promise<Record<string, unknown>> {
  const [{ openApiDocument }, { routes }, { examples }] = await Promise.all([
    import('./openapi.ts'),
    import('@groundswell/contract/routes.ts'),
    import('@groundswell/contract/examples.ts'),
  ])
  return openApiDocument(routes, examples)
}

async function renderPage(): Promise<{ html: string; policy: string }> {
  const { referencePage } = await import('./reference/page.ts')
  return referencePage(await describe())
}

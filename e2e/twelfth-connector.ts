import { cp, readdir } from 'node:fs/promises'
import path from 'node:path'
import { startServer, type TestServer } from '@groundswell/connectors/kit/testing.ts'
import { edit, type ProductCopy, startCopy } from './product-copy.ts'

/** The product with one more connector, `acme`, and the tracker that it pushes to. */
export type TwelfthConnector = ProductCopy & {
  /** The stand-in of Acme; it creates an item for each POST /items. */
  tracker: TestServer
}

/** Starts a copy of the product with a connector that was added as described in docs/connectors.md. */
export async function startWithTwelfthConnector(): Promise<TwelfthConnector> {
  const tracker = await startServer((request, response) => {
    const id = request.method === 'POST' && request.url === '/items' ? String(tracker.seen.length) : null
    response.writeHead(id === null ? 404 : 201, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id, url: `${tracker.url}/items/${id}` }))
  })
  try {
    const copy = await startCopy((folder) => addConnector(path.join(folder, 'connectors')))
    const stop = async () => {
      await copy[Symbol.asyncDispose]()
      await tracker[Symbol.asyncDispose]()
    }
    return { ...copy, tracker, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await tracker[Symbol.asyncDispose]()
    throw error
  }
}

/** The steps of docs/connectors.md: copy the template, rename it, add it to the list. */
async function addConnector(connectors: string): Promise<void> {
  const folder = path.join(connectors, 'acme')
  await cp(path.join(connectors, '_template'), folder, { recursive: true })
  for (const name of await readdir(folder)) {
    await edit(path.join(folder, name), (text) =>
      text.replaceAll('_template', 'acme').replaceAll('template', 'acme').replaceAll('Template', 'Acme'),
    )
  }
  await edit(path.join(connectors, 'index.ts'), (text) =>
    text
      .replace(/^/, "import { acme } from './acme/index.ts'\n")
      .replace(/^(export const connectors\b[^[]*\[\]? = \[[^\]]*)\]/m, '$1  acme,\n]'),
  )
}

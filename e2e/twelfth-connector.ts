import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startServer, type TestServer } from '@groundswell/connectors/kit/testing.ts'
import { Child } from '@groundswell/server/faults/child.ts'

const root = path.resolve(import.meta.dirname, '..')
const PACKAGES = ['contract', 'encoder', 'engine', 'connectors', 'server']

/** The product with one more connector, `acme`, in its own process, and the tracker that it pushes to. */
export type TwelfthConnector = AsyncDisposable & {
  url: string
  /** The stand-in of Acme; it creates an item for each POST /items. */
  tracker: TestServer
}

/**
 * Copies what the server runs, adds a connector as described in docs/connectors.md, and starts the copy. The web app is the existing
 * build: it is not built again.
 */
export async function startWithTwelfthConnector(): Promise<TwelfthConnector> {
  const folder = await mkdtemp(path.join(tmpdir(), 'groundswell-twelfth-'))
  let child: Child | undefined
  const tracker = await startServer((request, response) => {
    const id = request.method === 'POST' && request.url === '/items' ? String(tracker.seen.length) : null
    response.writeHead(id === null ? 404 : 201, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id, url: `${tracker.url}/items/${id}` }))
  })
  const stop = async () => {
    await child?.end('SIGTERM')
    await tracker[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await copyProduct(folder)
    await addConnector(path.join(folder, 'connectors'))
    child = new Child(['server/all-in-one.ts'], {
      checkout: folder,
      env: {
        GROUNDSWELL_DATA: path.join(folder, 'data'),
        HOST: '127.0.0.1',
        PORT: '0',
        WEBHOOK_ALLOW: '127.0.0.1',
        LOG_LEVEL: 'warn',
      },
    })
    const [, port] = await child.says(/Groundswell is at \S+:(\d+)\s[^]*Ctrl-C/)
    return { url: `http://localhost:${port}`, tracker, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function copyProduct(folder: string): Promise<void> {
  for (const name of [...PACKAGES, 'package.json', 'web/dist']) {
    await cp(path.join(root, name), path.join(folder, name), { recursive: true })
  }
  const modules = path.join(root, 'node_modules')
  await mkdir(path.join(folder, 'node_modules', '@groundswell'), { recursive: true })
  for (const name of await readdir(modules)) {
    if (name !== '@groundswell') await symlink(path.join(modules, name), path.join(folder, 'node_modules', name))
  }
  for (const name of PACKAGES) {
    await symlink(path.join(folder, name), path.join(folder, 'node_modules', '@groundswell', name))
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

async function edit(file: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(file, 'utf8')
  const changed = change(text)
  await writeFile(file, changed)
}

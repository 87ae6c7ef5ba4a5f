import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Child } from '@groundswell/server/faults/child.ts'

const root = path.resolve(import.meta.dirname, '..')
const PACKAGES = ['contract', 'encoder', 'engine', 'connectors', 'server']

/** A changed copy of the product, in its own process. */
export type ProductCopy = AsyncDisposable & { url: string; folder: string }

/**
 * Copies what the server runs into a temporary folder, changes it there, and starts the copy. The web app is the existing build: it is not
 * built again.
 */
export async function startCopy(change: (folder: string) => Promise<void>): Promise<ProductCopy> {
  const folder = await mkdtemp(path.join(tmpdir(), 'groundswell-copy-'))
  let child: Child | undefined
  const stop = async () => {
    await child?.end('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await copyProduct(folder)
    await change(folder)
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
    return { url: `http://localhost:${port}`, folder, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function copyProduct(folder: string): Promise<void> {
  for (const name of [...PACKAGES, 'package.json', 'tsconfig.json', 'web/dist']) {
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

/** Changes a file of the copy. */
export async function edit(file: string, change: (text: string) => string): Promise<void> {
  await writeFile(file, change(await readFile(file, 'utf8')))
}

import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { addVary } from './caching.ts'
import { bestEncoding, type Encoding } from './encoding.ts'
import { pagePolicy } from './security.ts'

type Asset = { type: string; etag: string; bodies: Map<Encoding, Promise<Buffer>> }

type Site = { builtAt: number; page: string; assets: Map<string, Asset> }

/** A built web app as it is held in memory. Servers of one process may share it: each of its files is then compressed once for all of them. */
export type WebFiles = { readonly folder: string; site: Site | null }

const NONCE_PLACEHOLDER = '__CSP_NONCE__'
const HASHED_FOLDER = '/assets/'
const HASHED_FILE = /^\/assets\/(\w[\w.-]*)$/

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

const compressible = /^(text|application)\/|svg/

/** The files of a folder. They are read when the first is requested. */
export function webFiles(folder: string): WebFiles {
  return { folder, site: null }
}

/**
 * Serves the built web app from memory: files by their exact path, compressed once, and its page for every other path, with
 * a fresh nonce each time. A new build is noticed when the page is next requested; the files that it has of earlier builds are
 * served with it.
 * Without a build, a page explains that there is none.
 */
export function webSite(
  files: WebFiles,
  config: Pick<Config, 'chat' | 'hostedAuth'> = {},
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  return async (request, reply) => {
    const path = decodedPath(request.url)
    const asset = files.site?.assets.get(path)
    if (asset) return sendAsset(asset, path, request, reply)
    const site = await currentSite(files.folder, files.site)
    files.site = site
    if (!site) return sendUnbuilt(reply)
    const found = site.assets.get(path) ?? (await lateAsset(files.folder, site, path))
    if (found) return sendAsset(found, path, request, reply)
    if (path.startsWith(HASHED_FOLDER)) {
      return reply.code(404).type('text/plain; charset=utf-8').send('There is no such file.')
    }
    const nonce = randomBytes(16).toString('base64')
    return reply
      .headers({ 'content-security-policy': pagePolicy(nonce, config), 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(site.page.replaceAll(NONCE_PLACEHOLDER, nonce))
  }
}

async function currentSite(folder: string, site: Site | null): Promise<Site | null> {
  const page = join(folder, 'index.html')
  const found = await stat(page).catch(() => null)
  if (!found) return null
  if (site?.builtAt === found.mtimeMs) return site
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const assets = new Map<string, Asset>()
  for (const entry of names) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    if (file === page) continue
    assets.set(`/${relative(folder, file).split(sep).join('/')}`, await loadAsset(file))
  }
  return { builtAt: found.mtimeMs, page: await readFile(page, 'utf8'), assets }
}

/** A file that a build wrote after its page was read. */
async function lateAsset(folder: string, site: Site, path: string): Promise<Asset | null> {
  const name = HASHED_FILE.exec(path)?.[1]
  const asset = name === undefined ? null : await loadAsset(join(folder, HASHED_FOLDER, name)).catch(() => null)
  if (asset) site.assets.set(path, asset)
  return asset
}

async function loadAsset(file: string): Promise<Asset> {
  const bytes = await readFile(file)
  return {
    type: types[extname(file)] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    bodies: new Map([['identity', Promise.resolve(bytes)]]),
  }
}

async function sendAsset(
  asset: Asset,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const forEver = path.startsWith(HASHED_FOLDER)
  addVary(reply, 'Accept-Encoding')
  reply.headers({
    etag: asset.etag,
    'cache-control': forEver ? 'public, max-age=31536000, immutable' : 'no-cache',
  })
  if (request.headers['if-none-match'] === asset.etag) return reply.code(304).send()
  const encoding = compressible.test(asset.type) ? bestEncoding(request.headers['accept-encoding']) : 'identity'
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(asset.type).send(await body(asset, encoding))
}

function body(asset: Asset, encoding: Encoding): Promise<Buffer> {
  const made = asset.bodies.get(encoding) ?? compress(asset, encoding)
  asset.bodies.set(encoding, made)
  return made
}

async function compress(asset: Asset, encoding: Encoding): Promise<Buffer> {
  const plain = await body(asset, 'identity')
  if (encoding === 'gzip') return promisify(gzip)(plain)
  return promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
}

function decodedPath(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? '/'
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function sendUnbuilt(reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .headers({ 'content-security-policy': pagePolicy('none'), 'retry-after': '10' })
    .type('text/html; charset=utf-8')
    .send(
      '<!doctype html><html lang="en"><meta charset="utf-8"><title>Groundswell</title><h1>The screens are not built yet</h1>' +
        '<p>The server is running, but its web app is missing. Run <code>npm run build</code> and reload this page.</p></html>',
    )
}

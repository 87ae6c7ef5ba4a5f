import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import path from 'node:path'
import { text as read } from 'node:stream/consumers'
import { type Report, runCheckAlone } from '../check.ts'
import type { Debian } from '../debian.ts'
import { documented } from '../documented.ts'
import { Postgres } from '../postgres.ts'
import { Product } from '../product.ts'
import { Program } from '../program.ts'
import { temporaryFolder } from '../temporary-folder.ts'

// The documented configurations of nginx and Caddy: redirects, headers, large files, and whose address the product sees.

const NAME = 'feedback.example.com'
const PUBLIC_URL = `https://${NAME}`
/** An address of this machine that is neither the proxy's nor the default one. */
const BROWSER_ADDRESS = '127.0.0.9'
/** More than proxies accept by default. */
const FILE_BYTES = 30 * 1024 ** 2
const ANN = { email: 'ann@tallybrook.example', password: 'long enough to pass', name: 'Ann' }

type Reply = { status: number; headers: NodeJS.Dict<string | string[]>; body: string }
type Request = { method?: string; body?: string; headers?: Record<string, string> }

/** A request as a browser elsewhere makes it, to the public name. */
async function ask(
  ca: Buffer | null,
  url: string,
  { method = 'GET', body, headers = {} }: Request = {},
): Promise<Reply> {
  const options = {
    host: '127.0.0.1',
    port: ca ? 443 : 80,
    localAddress: BROWSER_ADDRESS,
    path: url,
    method,
    headers: { host: NAME, ...headers },
    timeout: 60_000,
  }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = ca ? requestHttps({ ...options, ca, servername: NAME }, resolve) : requestHttp(options, resolve)
    request.on('error', reject)
    request.on('timeout', () => request.destroy(new Error(`${url} was not answered`)))
    request.end(body)
  })
  return { status: response.statusCode ?? 0, headers: response.headers, body: await read(response) }
}

/** A certificate for the public name that signs itself. */
function makeCertificate(folder: string): { certificate: string; key: string } {
  const [certificate, key] = [path.join(folder, 'certificate.pem'), path.join(folder, 'key.pem')]
  const kind = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', `/CN=${NAME}`]
  execFileSync('openssl', [...kind, '-addext', `subjectAltName=DNS:${NAME}`, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  })
  return { certificate, key }
}

type Files = ReturnType<typeof makeCertificate>

/** nginx with the documented site, in a configuration that keeps everything else in this folder. */
function nginx(report: Report, debian: Debian, folder: string, { certificate, key }: Files): Program {
  const live = `/etc/letsencrypt/live/${NAME}`
  const site = documented(
    'nginx.conf',
    { [`${live}/fullchain.pem`]: certificate, [`${live}/privkey.pem`]: key },
    'deployment',
  )
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const config = path.join(folder, 'nginx.conf')
  const main = `user root; daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}`
  writeFileSync(config, `${main}\nhttp { access_log off; ${places.join(' ')}\n${site}\n}\n`)
  const command = [debian.find('nginx'), '-p', folder, '-e', 'stderr', '-c', config]
  return new Program(report, command, { env: debian.env })
}

/** Caddy with the documented file and a certificate of its own: no authority can be reached here. */
function caddy(report: Report, debian: Debian, folder: string, { certificate, key }: Files): Program {
  const site = `${NAME} {`
  const config = path.join(folder, 'Caddyfile')
  writeFileSync(config, documented('Caddyfile', { [site]: `${site}\n\ttls ${certificate} ${key}` }, 'deployment'))
  return new Program(report, [debian.find('caddy'), 'run', '--adapter', 'caddyfile', '--config', config], {
    env: { ...debian.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  })
}

await runCheckAlone('https', ['postgresql', 'nginx', 'caddy'], async (report, debian) => {
  const folder = temporaryFolder(report)
  const server = await Postgres.create(report, debian, { folder, port: 5432 })
  const product = new Product(report, {
    env: { ...server.addresses, PUBLIC_URL, TRUST_PROXY: '1', PORT: '3000' },
    query: (text, values) => server.query(text, undefined, values),
  })
  await product.migrate()
  await product.serve()
  await product.work()
  const files = makeCertificate(folder)
  const ca = readFileSync(files.certificate)
  const post = (url: string, body: string, headers: Record<string, string> = {}) =>
    ask(ca, url, { method: 'POST', body, headers })
  const json = { 'content-type': 'application/json' }
  const made = await fetch(`${product.base}/api/auth/signup`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(ANN),
  })
  report.require(made.ok, `the first account is made (${made.status})`)

  for (const [name, start] of Object.entries({ nginx, caddy })) {
    const proxy = start(report, debian, folder, files)
    await proxy.ready(async () => ((await ask(ca, '/api/live').catch(() => null))?.status === 200 ? true : undefined))
    const plain = await ask(null, '/insights?issue=1')
    report.require(
      [301, 308].includes(plain.status) && plain.headers.location === `${PUBLIC_URL}/insights?issue=1`,
      `${name}: http leads to the same page over https (${plain.status} ${String(plain.headers.location)})`,
    )
    const page = await ask(ca, '/insights')
    report.require(
      page.status === 200 && page.headers['strict-transport-security'] !== undefined,
      `${name}: a page is served, and browsers are told to stay with https (${page.status})`,
    )
    const login = await post('/api/auth/login', JSON.stringify(ANN), {
      ...json,
      origin: PUBLIC_URL,
      'x-forwarded-for': '203.0.113.7',
    })
    report.require(login.status === 200, `${name}: a person signs in (${login.status})`)
    const seen = await server.query<{ address: string }>('select address from audit_event order by id desc limit 1')
    report.require(
      seen[0]?.address === BROWSER_ADDRESS,
      `${name}: the product sees the browser's address, not the proxy's or an invented one (${seen[0]?.address})`,
    )
    const { token } = JSON.parse(login.body) as { token: string }
    const line = `${JSON.stringify({ text: `The export fails, ${name}: ${'x'.repeat(900)}` })}\n`
    const stored = await post(`/api/imports?name=${name}.jsonl`, line.repeat(Math.ceil(FILE_BYTES / line.length)), {
      authorization: `Bearer ${token}`,
      'content-type': 'application/octet-stream',
    })
    report.require([200, 201, 202].includes(stored.status), `${name}: a file of 30 MiB is imported (${stored.status})`)
    await proxy.stop('SIGTERM')
  }
})

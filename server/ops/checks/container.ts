import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { signup } from '@groundswell/contract/accounts.ts'
import { startImport } from '@groundswell/contract/feedback.ts'
import { listInsights } from '@groundswell/contract/insights.ts'
import { parse } from 'yaml'
import { z } from 'zod'
import { ApiClient } from '../../faults/api-client.ts'
import { until } from '../../faults/until.ts'
import { type Report, runCheckAlone } from '../check.ts'
import { buildImage, containerCommand, type Image, nodeBase } from '../containerfile.ts'
import { documented } from '../documented.ts'
import { Postgres } from '../postgres.ts'
import { Program } from '../program.ts'
import { temporaryFolder } from '../temporary-folder.ts'

// The documented Containerfile, carried out instruction by instruction on Debian's packages, and the processes of the compose file in it: read-only,
// without capabilities. Where it differs from a container engine: the base image is put together here, PostgreSQL is Debian's, and the
// network is that of this check.

const COMPLAINT = 'The export of invoices fails with an error'
const OWNER = { email: 'ann@tallybrook.example', password: 'long enough to pass', name: 'Ann' }
const SECRETS = { GROUNDSWELL_KEY: '0f'.repeat(32), OWNER_PASSWORD: 'pull-the-cable' }

const service = z.object({
  command: z.array(z.string()),
  env_file: z.tuple([z.object({ path: z.literal('.env'), required: z.literal(false) })]),
  environment: z.record(z.string(), z.string()),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  read_only: z.literal(true),
  tmpfs: z.tuple([z.literal('/tmp')]),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  volumes: z.array(z.string()),
})
const compose = z.object({ services: z.object({ serve: service, worker: service }) })
type Service = z.infer<typeof service>

/** The environment of a service, with its variables substituted as compose does. */
function environmentOf({ environment }: Service): Record<string, string> {
  const given: Record<string, string | undefined> = SECRETS
  const filled = (value: string) =>
    value.replaceAll(
      /\$\{(\w+)(?::\?|:-([^}]*))?\}/g,
      (_, name: string, fallback?: string) => given[name] ?? fallback ?? '',
    )
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filled(value)]))
}

/** A process in a container. */
class Container {
  readonly program: Program
  readonly #env: Record<string, string>

  constructor(report: Report, image: Image, { service, data }: { service: Service; data: string }) {
    this.#env = { ...image.env, ...environmentOf(service) }
    const volumes = Object.fromEntries(service.volumes.map((one) => [one.split(':')[1] as string, data]))
    this.program = new Program(report, containerCommand(image, service.command, volumes), { env: this.#env })
    report.onEnd(() => this.end())
  }

  /** The process inside, as this machine sees it. */
  get pid(): number {
    const own = this.program.pid
    return Number(readFileSync(`/proc/${own}/task/${own}/children`, 'utf8').trim().split(' ')[0])
  }

  status(name: string): string {
    return new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))?.[1] ?? ''
  }

  /** Runs a program of the image beside the process, and returns its exit code and output. */
  run(command: readonly string[]): { code: number | null; output: string } {
    const args = [`--target=${this.pid}`, '--mount', '--pid', '--root', '--wd', ...command]
    const { status, stdout, stderr } = spawnSync('nsenter', args, { env: this.#env, encoding: 'utf8' })
    return { code: status, output: `${stdout}${stderr}`.trim() }
  }

  /** Asks it to stop, as a container engine does, and waits until it has. */
  async end(): Promise<void> {
    if (!this.program.running) return
    process.kill(this.pid, 'SIGTERM')
    await until(`${this.program.name} to end`, () => (this.program.running ? undefined : true), {
      deadlineMs: 30_000,
      explain: () => this.program.tail,
    })
  }
}

await runCheckAlone('container', ['postgresql', 'mmdebstrap'], async (report, debian) => {
  const folder = temporaryFolder(report)
  const base = nodeBase(folder, debian.find('mmdebstrap'), debian.env)
  const image = buildImage(documented('Containerfile', {}, 'deployment'), {
    folder,
    base: (name) => {
      report.require(name === 'docker.io/library/node:24-bookworm-slim', `the base is Debian 12 with Node 24 (${name})`)
      return base
    },
    say: (line) => report.say(line.slice(0, 120)),
  })
  const size = spawnSync('du', ['-sm', path.join(image.root, image.folder)], { encoding: 'utf8' }).stdout.split('\t')[0]
  report.figure(`the product takes ${size} MB in the image`)

  const server = await Postgres.create(report, debian, { folder: path.join(folder, 'postgres'), port: 5432 })
  await server.query(`create role groundswell superuser login password '${SECRETS.OWNER_PASSWORD}'`)
  await server.query('alter database groundswell owner to groundswell')
  for (const role of ['auth', 'app', 'owner']) await server.query(`drop role groundswell_${role}`)
  appendFileSync(path.join(image.root, 'etc/hosts'), '127.0.0.1 localhost postgres\n')

  const { services } = compose.parse(parse(documented('compose.yml', {}, 'deployment'), { merge: true }))
  const start = (name: keyof typeof services) => {
    const data = path.join(folder, name)
    mkdirSync(data)
    spawnSync('cp', ['-a', '--attributes-only', '-T', path.join(image.root, image.volumes[0] as string), data])
    return new Container(report, image, { service: services[name], data })
  }
  const serve = start('serve')
  const api = 'http://127.0.0.1:3000'
  await serve.program.ready(async () => ((await fetch(`${api}/api/live`).catch(() => null))?.ok ? true : undefined))
  const worker = start('worker')
  await worker.program.ready(async () => (/worker is running/.test(worker.program.output) ? true : undefined))

  for (const [name, container] of Object.entries({ serve, worker })) {
    const test = services[name as 'serve' | 'worker'].healthcheck?.test.slice(1) ?? image.healthcheck
    const health = await until('the health check to succeed', async () => {
      const { code } = container.run(test)
      return code === 0 ? code : undefined
    })
    report.require(health === 0, `${name}: the health check succeeds`)
    const [uid] = container.status('Uid').split('\t')
    const rights = [container.status('CapEff'), container.status('CapBnd'), container.status('NoNewPrivs')]
    report.require(
      uid === '10001' && rights.join(' ') === '0000000000000000 0000000000000000 1',
      `${name}: runs as ${uid}, without capabilities (${rights.join(', ')})`,
    )
    const written = ['/opt/groundswell/x', '/etc/x', '/var/lib/groundswell/x', '/tmp/x'].map((file) => {
      const script =
        'try { fs.writeFileSync(process.argv[1], ""); console.log("yes") } catch (e) { console.log(e.code) }'
      return container.run(['node', '-e', script, file]).output
    })
    report.require(
      written.join() === 'EROFS,EROFS,yes,yes',
      `${name}: only its volume and /tmp can be written to (${written.join(', ')})`,
    )
  }

  const client = new ApiClient(() => api)
  client.token = (await client.call(signup, { body: OWNER })).token
  const rows = Array.from({ length: 12 }, (_, n) =>
    JSON.stringify({ text: `${COMPLAINT}, number ${n}`, author: `p${n}` }),
  )
  await client.call(startImport, { query: { name: 'rows.jsonl' }, raw: rows.join('\n') })
  const found = await until('an insight', async () => {
    const insights = await client.call(listInsights, {})
    return insights.length > 0 ? insights.length : undefined
  })
  report.require(
    found > 0,
    `feedback that is imported through one container is grouped by the other (${found} insights)`,
  )
  const page = await (await fetch(`${api}/insights`)).text()
  report.require(page.includes('<div id="root">'), 'the web app is in the image')

  for (const [name, container] of Object.entries({ worker, serve })) {
    await container.end()
    report.require(!container.program.running, `${name}: ends when it is asked to`)
  }
  report.figure('built and run from Debian 12 and npm packages, read-only and without capabilities')
})

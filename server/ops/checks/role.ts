import { until } from '../../faults/until.ts'
import { type Report, runCheckAlone } from '../check.ts'
import { groundswell } from '../command.ts'
import { Postgres } from '../postgres.ts'
import { Product } from '../product.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { look } from '../watch.ts'

// A process refuses to start, and health fails, unless it works as groundswell_app and row-level security applies to that role.

async function requireHealth(report: Report, base: string, status: number, reason: RegExp): Promise<void> {
  const found = await until('health', async () => {
    const health = await look(`${base}/api/health`)
    return health.status === status ? health : undefined
  })
  report.require(reason.test(found.body), `health returns ${status}: ${found.body}`)
}

await runCheckAlone('role', ['postgresql'], async (report, debian) => {
  const folder = temporaryFolder(report)
  const server = await Postgres.create(report, debian, { folder: `${folder}/server`, port: 5432 })
  const product = new Product(report, {
    env: server.addresses,
    query: (text, values) => server.query(text, undefined, values),
  })
  await product.migrate()
  await product.serve()
  await requireHealth(report, product.base, 200, /"ready":true/)

  const refuse = async (what: string, url: string, reason: RegExp) => {
    const env = { GROUNDSWELL_KEY: '0f'.repeat(32), GROUNDSWELL_DATA: folder, DATABASE_URL: url }
    for (const door of ['serve', 'worker']) {
      const { code, output } = await groundswell([door], { ...env, PORT: '0' }, 30_000)
      report.require(code === 1 && reason.test(output), `${what}: ${door} does not start: ${output.split('\n')[0]}`)
    }
  }
  for (const power of ['bypassrls', 'superuser']) {
    await server.query(`alter role groundswell_app ${power}`)
    await requireHealth(report, product.base, 503, /may bypass row-level security/)
    await refuse(`a role that is ${power}`, server.url('groundswell_app'), /may bypass row-level security/)
    await server.query(`alter role groundswell_app no${power}`)
    await requireHealth(report, product.base, 200, /"ready":true/)
  }
  await server.query('create role stranger login')
  await refuse(
    'a login that may not take the role',
    'postgresql://stranger@127.0.0.1:5432/groundswell',
    /sign in as groundswell_app/,
  )
  report.figure('bypassrls, superuser and a login without the role are refused')
})

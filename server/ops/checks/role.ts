import { until } from '../../faults/until.ts'
import { type Report, runCheckAlone } from '../check.ts'
import { groundswell } from '../command.ts'
import { Postgres } from '../postgres.ts'
import { Product } from '../product.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { look } from '../watch.ts'

// A process refuses to start, and health fails, unless it works as groundswell_app and row-level security applies to that role. Nor does it start unless
// the same holds for accounts and groundswell_auth.

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

  const { DATABASE_URL, DATABASE_AUTH_URL } = server.addresses
  const refuse = async (what: string, addresses: Record<string, string>, reason: RegExp) => {
    const own = { GROUNDSWELL_KEY: '0f'.repeat(32), GROUNDSWELL_DATA: folder }
    const env = { ...own, DATABASE_URL, DATABASE_AUTH_URL, ...addresses }
    for (const door of ['serve', 'worker']) {
      const { code, output } = await groundswell([door], { ...env, PORT: '0' }, 30_000)
      report.require(code === 1 && reason.test(output), `${what}: ${door} does not start: ${output.split('\n')[0]}`)
    }
  }
  for (const power of ['bypassrls', 'superuser']) {
    await server.query(`alter role groundswell_app ${power}`)
    await requireHealth(report, product.base, 503, /may bypass row-level security/)
    await refuse(`a role that is ${power}`, {}, /may bypass row-level security/)
    await server.query(`alter role groundswell_app no${power}`)
    await requireHealth(report, product.base, 200, /"ready":true/)
    await server.query(`alter role groundswell_auth ${power}`)
    await refuse(`a role of accounts that is ${power}`, {}, /groundswell_auth may bypass row-level security/)
    await server.query(`alter role groundswell_auth no${power}`)
  }
  await server.query('create role stranger login')
  const stranger = 'postgresql://stranger@127.0.0.1:5432/groundswell'
  await refuse('a login that may not take the role', { DATABASE_URL: stranger }, /sign in as groundswell_app/)
  await refuse('the same for accounts', { DATABASE_AUTH_URL: stranger }, /may not work as groundswell_auth/)
  await refuse('no login for accounts', { DATABASE_AUTH_URL: '' }, /DATABASE_AUTH_URL is not set/)
  report.figure('bypassrls, superuser and a login without the role are refused, for accounts too')
})

import { setTimeout as pause } from 'node:timers/promises'
import { startReceiver } from '../../faults/receiver.ts'
import { until } from '../../faults/until.ts'
import { proxyTo } from '../../platform/db/test-proxy.ts'
import { runCheckAlone, seconds } from '../check.ts'
import { Postgres } from '../postgres.ts'
import { Product } from '../product.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { textsOf } from '../texts.ts'
import { look, statuses, Watch } from '../watch.ts'

// An API process whose connections silently died does not serve an old list from memory for longer than 20 s, and reports it.

const STALE_MS = 20_000

await runCheckAlone('stale-listener', ['postgresql'], async (report, debian) => {
  const folder = temporaryFolder(report)
  const server = await Postgres.create(report, debian, { folder, port: 5432 })
  const proxy = await proxyTo(server.url('groundswell_app'))
  report.onEnd(() => proxy.close())
  const product = new Product(report, {
    env: server.addresses,
    query: (text, values) => server.query(text, undefined, values),
  })
  await product.migrate()
  // The second process is the one that calls go to; the first reaches the database through the proxy.
  const DATABASE_AUTH_URL = proxy.url.replace('groundswell_app', 'groundswell_auth')
  await product.serve({ env: { DATABASE_URL: proxy.url, DATABASE_AUTH_URL, DATABASE_ADMIN_URL: '' } })
  const cutOff = product.base
  await product.serve()
  await product.work()
  const receiver = await startReceiver()
  report.onEnd(() => receiver.stop())
  await product.furnish(receiver)
  await product.import('first', textsOf('first', 1))
  await product.settle()

  const token = product.client.token
  const list = (base: string, etag?: string | null) => look(`${base}/api/insights/get-all`, { token, etag })
  for (const forgets of ['only the connections that are open', 'everything, for a minute'] as const) {
    const { etag } = await until('a list from memory', async () => {
      const first = await list(cutOff)
      return (await list(cutOff, first.etag)).status === 304 ? first : undefined
    })
    report.say(`the network forgets ${forgets}`)
    proxy.swallow()
    const began = performance.now()
    if (forgets.startsWith('only')) {
      // Long enough for no new connection to be opened by chance before the cut is over.
      await pause(200)
      proxy.deliver()
    }
    const polls = new Watch(() => list(cutOff, etag))
    const health = new Watch(() => look(`${cutOff}/api/health`))
    await product.import(forgets, textsOf(forgets.slice(0, 4), 2))
    await product.settle()
    const fresh = await list(product.base)
    report.require(fresh.etag !== etag, 'the list has changed meanwhile')
    await pause(Math.max(0, 60_000 - (performance.now() - began)))
    proxy.deliver()
    const [polled, checks] = [await polls.stop(), await health.stop()]
    const lastStale = Math.max(0, ...polled.filter(({ status }) => status === 304).map(({ at }) => at - began))
    report.figure(`${forgets}: the old list for ${seconds(lastStale)}, polls ${JSON.stringify(statuses(polled))}`)
    report.require(lastStale <= STALE_MS, `the old list is served for at most ${STALE_MS / 1000} s`)
    const unwell = checks.find(({ status }) => status === 503)
    const noticed = unwell ? unwell.at + unwell.ms - began : Number.POSITIVE_INFINITY
    report.figure(`health reports it after ${seconds(noticed)} (${JSON.stringify(statuses(checks))})`)
    report.require(noticed <= STALE_MS, `health reports it within ${STALE_MS / 1000} s`)
    report.require(
      polled.every(({ status }) => status !== 500),
      'no poll fails with 500',
    )
    await until('the new list', async () => {
      const [here, there] = [await list(cutOff), await list(product.base)]
      return (here.status === 200 && here.etag === there.etag) || undefined
    })
  }
})

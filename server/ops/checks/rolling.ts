import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Child } from '../../faults/child.ts'
import { startReceiver } from '../../faults/receiver.ts'
import { until } from '../../faults/until.ts'
import { runCheckAlone, seconds } from '../check.ts'
import { documented } from '../documented.ts'
import { Postgres } from '../postgres.ts'
import { Product } from '../product.ts'
import { Program } from '../program.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { look, statuses, Watch } from '../watch.ts'

// Two API processes behind HAProxy, configured as in docs/deployment, and a worker are replaced one after another under load: no call fails.

const PORTS = [3001, 3002]
const ROUNDS = 5
const POLLERS = 4
/** HAProxy checks a process every 2 s; it gets calls once one check succeeded. */
const CHECKED_MS = 3_000

await runCheckAlone('rolling', ['postgresql', 'haproxy'], async (report, debian) => {
  const folder = temporaryFolder(report)
  const server = await Postgres.create(report, debian, { folder, port: 5432 })
  const product = new Product(report, {
    env: { ...server.addresses, SHUTDOWN_DELAY: '10', TRUST_PROXY: '127.0.0.1' },
    query: (text, values) => server.query(text, undefined, values),
    balancer: 8080,
  })
  await product.migrate()
  const serve = (port: number) => product.serve({ env: { PORT: String(port) } })
  const processes = new Map<number, Child>()
  for (const port of PORTS) processes.set(port, await serve(port))
  let worker = await product.work()
  const config = path.join(folder, 'haproxy.cfg')
  writeFileSync(config, documented('haproxy.cfg', {}, 'deployment'))
  const balancer = new Program(report, [debian.find('haproxy'), '-db', '-f', config], { env: debian.env })
  await balancer.ready(async () => ((await look(`${product.base}/api/health`)).status === 200 ? true : undefined))
  const receiver = await startReceiver(() => 10)
  report.onEnd(() => receiver.stop())
  await product.furnish(receiver)

  const { token } = product.client
  const polls = Array.from({ length: POLLERS }, () => {
    let etag: string | null = null
    return new Watch(async () => {
      const answer = await look(`${product.base}/api/insights/get-all`, { token, etag })
      etag = answer.etag
      return answer
    }, 50)
  })
  const refused: string[] = []
  let writes = 0
  let writing = true
  const writer = (async () => {
    while (writing) {
      const name = `rolling ${++writes}`
      const texts = Array.from({ length: 5 }, (_, row) => `The export of report ${row} fails (${name}, ${row})`)
      await product.import(name, texts).catch((error: Error) => refused.push(error.message))
      await pause(200)
    }
  })()

  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const port of PORTS) {
      const old = processes.get(port) as Child
      const { code, ms } = await product.end(old)
      report.require(
        code === 0,
        `round ${round}: the process on port ${port} ends with exit code 0 (${code}, ${seconds(ms)})`,
      )
      processes.set(port, await serve(port))
      await until('the new process to be ready', async () => {
        return (await look(`http://127.0.0.1:${port}/api/health`)).status === 200 || undefined
      })
      await pause(CHECKED_MS)
    }
    await product.end(worker)
    worker = await product.work()
  }

  writing = false
  await writer
  const looks = (await Promise.all(polls.map((watch) => watch.stop()))).flat()
  report.figure(`${2 * ROUNDS} replacements; ${writes} imports; polls ${JSON.stringify(statuses(looks))}`)
  report.require(refused.length === 0, `no import fails (${refused.length}${refused[0] ? `: ${refused[0]}` : ''})`)
  const failed = looks.filter(({ status }) => status !== 200 && status !== 304)
  report.require(failed.length === 0, `no call fails (${failed.length} of ${looks.length})`)
  await product.requireSound(receiver)
})

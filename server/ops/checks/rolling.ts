import { startReceiver } from '../../faults/receiver.ts'
import { balancedProduct, Load, Pair, PORTS, startBalancer } from '../balancer.ts'
import { runCheckAlone } from '../check.ts'
import { Postgres } from '../postgres.ts'
import { temporaryFolder } from '../temporary-folder.ts'

// Two API processes behind HAProxy, configured as in docs/deployment, and a worker are replaced one after another under load: no call fails.

const ROUNDS = 5

await runCheckAlone('rolling', ['postgresql', 'haproxy'], async (report, debian) => {
  const folder = temporaryFolder(report)
  const server = await Postgres.create(report, debian, { folder, port: 5432 })
  const product = balancedProduct(report, server)
  await product.migrate()
  const pair = new Pair(report, product)
  for (const port of PORTS) await pair.start(port)
  let worker = await product.work()
  await startBalancer(report, debian, folder, product)
  const receiver = await startReceiver(() => 10)
  report.onEnd(() => receiver.stop())
  await product.furnish(receiver)

  const load = new Load(product, 'rolling')
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const port of PORTS) await pair.replace(port, `round ${round}`)
    await product.end(worker)
    worker = await product.work()
  }
  report.figure(`${2 * ROUNDS} replacements`)
  await load.stop(report)
  await product.requireSound(receiver)
})

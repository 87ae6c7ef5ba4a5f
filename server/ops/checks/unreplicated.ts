import { setTimeout as pause } from 'node:timers/promises'
import { startReceiver } from '../../faults/receiver.ts'
import { runCheckAlone, seconds } from '../check.ts'
import { Postgres } from '../postgres.ts'
import { Product } from '../product.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { textsOf } from '../texts.ts'
import { look, statuses, Watch } from '../watch.ts'

// A commit that the standby has not confirmed is not acknowledged, however long that takes: cancelling the wait would make it count as done.

const LASTS_MS = 60_000

await runCheckAlone('unreplicated', ['postgresql'], async (report, debian) => {
  const folder = temporaryFolder(report)
  const server = await Postgres.create(report, debian, { folder: `${folder}/server`, port: 5432 })
  const product = new Product(report, {
    env: server.addresses,
    query: (text, values) => server.query(text, undefined, values),
  })
  const receiver = await startReceiver(() => 5)
  report.onEnd(() => receiver.stop())
  await product.migrate()
  await product.serve()
  await product.work()
  await product.furnish(receiver)
  await product.import('first', textsOf('first', 1))
  await product.settle()

  await server.query(`alter system set synchronous_standby_names = 'nobody'`)
  await server.query('select pg_reload_conf()')
  await pause(1_000)
  const token = product.client.token
  const began = performance.now()
  let number = 0
  const uploads = Array.from(
    { length: 4 },
    () =>
      new Watch(() => {
        number += 1
        const body = `{"id":"${number}","text":"not confirmed ${number}"}`
        return look(`${product.base}/api/imports?name=${number}.jsonl`, {
          token,
          method: 'POST',
          body,
          limitMs: 120_000,
        })
      }),
  )
  const ended = Promise.all(uploads.map((watch) => watch.stopAfter(LASTS_MS)))
  await pause(LASTS_MS)
  await server.query('alter system reset synchronous_standby_names')
  await server.query('select pg_reload_conf()')
  const cut = performance.now() - began
  const looks = (await ended).flat().filter(({ at, ms }) => at + ms < began + cut)
  const longest = Math.max(...looks.map(({ ms }) => ms))
  report.figure(`uploads without a standby: ${JSON.stringify(statuses(looks))}, the longest took ${seconds(longest)}`)
  report.require(
    looks.length > 0 && looks.every(({ status }) => status === 503),
    'no upload is acknowledged, each fails with 503',
  )
})

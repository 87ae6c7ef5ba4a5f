import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../../faults/until.ts'
import { medianOf, runCheckAlone, seconds } from '../check.ts'
import { cpuSeconds } from '../cpu.ts'
import { Postgres } from '../postgres.ts'
import { Product } from '../product.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { look, Watch } from '../watch.ts'

// Files that cannot be feedback are refused early and with a reason, a bad first line affects only itself, and the API keeps answering.

const MIB = 1024 * 1024
const RUNS = 5
const MAX_CPU_SECONDS = 5
const MAX_LIVE_MS = 250

type Sent = { status: number; body: string; sent: number }

await runCheckAlone('bad-files', ['postgresql'], async (report, debian) => {
  const folder = temporaryFolder(report)
  const server = await Postgres.create(report, debian, { folder: `${folder}/server`, port: 5432 })
  const product = new Product(report, {
    env: { ...server.addresses, ENCODER: 'off' },
    query: (text, values) => server.query(text, undefined, values),
  })
  await product.migrate()
  const serve = await product.serve()
  await product.work()
  await product.furnish()
  const pid = serve.process.pid ?? 0
  const line = Buffer.alloc(MIB, 'x')

  const watchLive = () => new Watch(() => look(`${product.base}/api/live`), 50)
  const slowestOf = async (watch: ReturnType<typeof watchLive>) => Math.max(...(await watch.stop()).map(({ ms }) => ms))

  const refused = async (what: string, mebibytes: number, first: string, { length = false } = {}) => {
    const runs: { answer: Sent; used: number; slowest: number }[] = []
    for (let run = 0; run < RUNS; run += 1) {
      const watch = watchLive()
      const before = cpuSeconds([pid])
      const answer = await upload(product, mebibytes, first, line, length)
      runs.push({ answer, used: cpuSeconds([pid]) - before, slowest: await slowestOf(watch) })
    }
    const used = medianOf(runs.map((run) => run.used))
    const slowest = Math.max(...runs.map((run) => run.slowest))
    const sent = Math.max(...runs.map((run) => run.answer.sent))
    const statuses = [...new Set(runs.map((run) => run.answer.status))]
    const bodies = [...new Set(runs.map((run) => run.answer.body.slice(0, 160)))]
    report.figure(
      `${what}: ${statuses.join(', ')} after at most ${sent} MiB and ${seconds(1000 * used)} of processor time (median of ${RUNS}), ` +
        `/api/live at most ${Math.round(slowest)} ms`,
    )
    report.require(
      statuses.every((status) => status >= 400 && status < 500),
      `${what} is refused: ${bodies.join(' ')}`,
    )
    report.require(used <= MAX_CPU_SECONDS, `that takes at most ${MAX_CPU_SECONDS} s of processor time`)
    report.require(slowest <= MAX_LIVE_MS, `/api/live stays below ${MAX_LIVE_MS} ms`)
  }
  await refused('a line of 600 MiB', 600, '{"id": "1", "text": "')
  await refused('a file of 2 GiB', 2_048, 'first\n', { length: true })

  const watch = watchLive()
  const rows = Array.from({ length: 200 }, (_, at) =>
    JSON.stringify({ id: `r${at}`, text: `The export fails again (${at})` }),
  )
  const files = {
    'a broken first line': '{"id": "x',
    'a first line of 3 MiB': `{"id": "x", "text": "${'x'.repeat(3 * MIB)}"}`,
  }
  for (const [what, first] of Object.entries(files)) {
    const done = await imported(product, what, [first, ...rows].join('\n'))
    report.require(done.added === 200 && done.bad === 1, `${what} costs only itself: ${JSON.stringify(done)}`)
  }
  const wide = [Array.from({ length: 10_000 }, (_, at) => `column ${at}`).join(','), 'a,b', 'c,d'].join('\n')
  const done = await imported(product, 'wide', wide)
  report.require(
    /more than 1,000 columns/.test(done.error ?? ''),
    `a header of 10,000 columns is refused: ${done.error}`,
  )
  const slowest = await slowestOf(watch)
  report.figure(`/api/live at most ${Math.round(slowest)} ms while files with bad lines and too many columns are read`)
  report.require(slowest <= MAX_LIVE_MS, `/api/live stays below ${MAX_LIVE_MS} ms`)
})

/** Sends a file of that many MiB, slowly enough to be stopped by a refusal. */
async function upload(
  product: Product,
  mebibytes: number,
  first: string,
  piece: Buffer,
  length: boolean,
): Promise<Sent> {
  const size = first.length + mebibytes * MIB
  const sending = request(`${product.base}/api/imports?name=bad.jsonl`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${product.client.token}`,
      'content-type': 'application/octet-stream',
      ...(length ? { 'content-length': size } : {}),
    },
  })
  let sent = 0
  let isOver = false
  const answer = new Promise<Sent>((resolve, reject) => {
    sending.on('response', (response) => {
      isOver = true
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => (body += text))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body, sent }))
    })
    sending.on('error', (error) => {
      if (!isOver) reject(error)
    })
  })
  sending.write(first)
  for (; sent < mebibytes && !isOver; sent += 1) {
    if (!sending.write(piece)) await Promise.race([once(sending, 'drain'), answer])
    await pause(0)
  }
  if (!isOver) sending.end()
  const result = await answer
  sending.destroy()
  return { ...result, sent }
}

async function imported(
  product: Product,
  name: string,
  raw: string,
): Promise<{ added: number; bad: number; error: string | null }> {
  const response = await fetch(
    `${product.base}/api/imports?name=${encodeURIComponent(name)}.${name === 'wide' ? 'csv' : 'jsonl'}`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${product.client.token}`, 'content-type': 'application/octet-stream' },
      body: raw,
    },
  )
  const { id } = (await response.json()) as { id: string }
  return until(`${name} to be read`, async () => {
    const [row] = await product.query<{ state: string; added: number; bad: number; error: string | null }>(
      'select state, added, bad, error from import where id = $1',
      [id],
    )
    return row && ['done', 'failed'].includes(row.state)
      ? { added: row.added, bad: row.bad, error: row.error }
      : undefined
  })
}

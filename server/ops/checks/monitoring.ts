import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { startImport } from '@groundswell/contract/feedback.ts'
import { seeded } from '../../faults/random.ts'
import { startReceiver } from '../../faults/receiver.ts'
import { isSettled, progressOf } from '../../faults/soundness.ts'
import { Stack } from '../../faults/stack.ts'
import { asFile, topicRows } from '../../faults/topic-rows.ts'
import { until } from '../../faults/until.ts'
import { type Report, runCheckAlone } from '../check.ts'
import type { Debian } from '../debian.ts'
import { documented } from '../documented.ts'
import { Program, runProgram } from '../program.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { look } from '../watch.ts'

// What docs/monitoring holds works with Debian's Prometheus: the rules and their tests, and each query of the dashboard while the product has
// some traffic. An event loop that hangs and a worker that is gone are seen.

const PROMETHEUS = 'http://127.0.0.1:9090'
const HANG_MS = 15_000
/** The process hangs for that long when it gets this signal. */
const HANG = `data:text/javascript,process.on('SIGUSR2',()=>{const end=Date.now()+${HANG_MS};while(Date.now()<end);})`

type Series = { metric: Record<string, string>; value: [number, string] }
type Panel = { type: string; title: string; targets?: { expr: string }[] }
type Rule = { name: string; query: string; health: string; lastError?: string; state: string }

async function ask<T>(path: string): Promise<T> {
  const response = await fetch(`${PROMETHEUS}/api/v1/${path}`)
  const { status, data, error } = (await response.json()) as { status: string; data: T; error?: string }
  if (status !== 'success') throw new Error(error)
  return data
}

const query = async (expression: string) =>
  (await ask<{ result: Series[] }>(`query?query=${encodeURIComponent(expression)}`)).result
const valueOf = async (expression: string) => Number((await query(expression))[0]?.value[1] ?? Number.NaN)
const rules = async () => (await ask<{ groups: { rules: Rule[] }[] }>('rules')).groups.flatMap(({ rules }) => rules)

/** Starts Prometheus with the documented files, which it reads every second here. */
async function startPrometheus(report: Report, debian: Debian, targets: readonly string[]): Promise<void> {
  const folder = temporaryFolder(report)
  const [api = '', worker = ''] = targets
  const places = { '127.0.0.1:9464': api, '127.0.0.1:9465': worker, '15s': '1s' }
  writeFileSync(path.join(folder, 'prometheus.yml'), documented('prometheus.yml', places, 'monitoring'))
  writeFileSync(path.join(folder, 'alerts.yml'), documented('alerts.yml', {}, 'monitoring'))
  const prometheus = new Program(
    report,
    [
      debian.find('prometheus'),
      `--config.file=${path.join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${path.join(folder, 'data')}`,
      '--web.listen-address=127.0.0.1:9090',
    ],
    { env: debian.env, cwd: folder },
  )
  await prometheus.ready(async () => (await fetch(`${PROMETHEUS}/-/ready`)).ok || undefined)
}

async function requireQueries(report: Report): Promise<void> {
  const { panels } = JSON.parse(documented('dashboard.json', {}, 'monitoring')) as { panels: Panel[] }
  const all = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })))
  let empty = 0
  for (const { title, expr } of all) {
    const series = await query(expr).catch((error: Error) => error.message)
    if (typeof series !== 'string' && series.length > 0) continue
    empty += 1
    report.require(false, `"${title}" shows something: ${expr}: ${typeof series === 'string' ? series : 'no data'}`)
  }
  report.figure(`${all.length} queries of ${panels.filter(({ type }) => type !== 'row').length} panels`)
  report.require(all.length > 20 && empty === 0, 'each query of the dashboard returns data')

  const found = await until('the rules to be evaluated', async () => {
    const all = await rules()
    return all.every(({ health }) => health !== 'unknown') ? all : undefined
  })
  for (const { name, query: expression, health, lastError, state } of found) {
    const names = new Set(expression.match(/\b(groundswell_\w+|nodejs_\w+|up)\b/g))
    const counts = await Promise.all([...names].map((one) => valueOf(`count(${one})`)))
    const holds = health === 'ok' && state !== 'firing' && names.size > 0 && counts.every((count) => count > 0)
    report.require(holds, `${name} is evaluated over what there is, and is silent (${state}) ${lastError ?? ''}`)
  }
}

await runCheckAlone('monitoring', ['prometheus'], async (report, debian) => {
  const promtool = (...args: string[]) => runProgram([debian.find('promtool'), ...args], { env: debian.env })
  const at = (file: string) => path.resolve(import.meta.dirname, '../../..', file)
  const checked = promtool('check', 'rules', at('docs/monitoring/alerts.yml'))
  report.require(/SUCCESS: \d+ rules found/.test(checked), 'promtool accepts the rules')
  promtool('test', 'rules', at('server/ops/alerts.test.yml'))
  const tested = readFileSync(at('server/ops/alerts.test.yml'), 'utf8')
  const alerts = [...readFileSync(at('docs/monitoring/alerts.yml'), 'utf8').matchAll(/- alert: (\w+)/g)]
  const untested = alerts.map(([, name]) => name).filter((name) => !tested.includes(`name: ${name} fires`))
  report.require(untested.length === 0, `the unit tests of all ${alerts.length} rules pass ${untested.join(', ')}`)

  const stack = await Stack.start([], [], { METRICS_PORT: '0', ENCODER: 'off' })
  report.onEnd(() => stack.stop())
  const serve = await stack.open('serve', ['--import', HANG])
  const worker = await stack.open('worker')
  const targets: string[] = []
  for (const child of [serve, worker])
    targets.push((await child.says(/Metrics are at http:\/\/(\S+)\/metrics/))[1] ?? '')
  await startPrometheus(report, debian, targets)
  const receiver = await startReceiver()
  report.onEnd(() => receiver.stop())
  await stack.furnish(receiver.url)
  await until('both processes to be read', async () => (await valueOf('sum(up)')) === 2 || undefined)
  for (const name of ['first', 'second']) {
    report.say(`the ${name} import`)
    await stack.client.call(startImport, { query: { name: `${name}.jsonl` }, raw: asFile(topicRows(seeded(7), name)) })
    await until('everything to be done', async () => isSettled(await progressOf(stack)) || undefined, {
      deadlineMs: 300_000,
      explain: () => stack.said(),
    })
  }
  await until('deliveries to be counted', async () => {
    const counted = await valueOf('sum(groundswell_deliveries_total{outcome="delivered"})')
    return counted === receiver.arrivals.length && counted > 0 ? true : undefined
  })
  await requireQueries(report)

  report.say('the event loop of the API process hangs')
  const live = (base: string, limitMs: number) => look(`${base}/api/live`, { limitMs })
  serve.process.kill('SIGUSR2')
  const [own = ''] = targets
  await until('it to be seen', async () => (await live(`http://${own}`, 2_000)).status === 503 || undefined, {
    everyMs: 100,
  })
  report.require(
    (await live(stack.client.base, 1_000)).status === 'TimeoutError',
    'the port of the API does not answer',
  )
  const seen = await until('Prometheus to see it', async () => {
    const stalled = await valueOf('max(groundswell_event_loop_stalled_seconds)')
    return stalled > 0 ? stalled : undefined
  })
  report.figure(`a hanging loop is seen after ${seen} s`)
  const pending = async () =>
    (await rules()).some(({ name, state }) => name === 'GroundswellProcessHangs' && state === 'pending') || undefined
  report.require(await until('its alert', pending), 'the alert about it is pending')
  const again = async () => {
    const both = await Promise.all([`http://${own}`, stack.client.base].map((base) => live(base, 2_000)))
    return both.every(({ status }) => status === 200) || undefined
  }
  report.require(await until('it to be alive again', again), 'it is alive again afterwards')

  report.say('the worker is gone')
  await stack.kill(worker)
  const waited = await until(
    'a worker to be missed',
    async () => {
      const seconds = await valueOf('max(groundswell_worker_missing_seconds)')
      return seconds > 20 ? seconds : undefined
    },
    { deadlineMs: 240_000, everyMs: 1_000 },
  )
  report.figure(`a missing worker is seen: jobs wait for ${Math.round(waited)} s`)
})

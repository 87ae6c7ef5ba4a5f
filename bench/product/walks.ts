import { parseArgs } from 'node:util'
import { decide, startSlack } from '@groundswell/connectors/sandbox/index.ts'
import { startReceiver } from '@groundswell/server/faults/receiver.ts'
import { Stack } from '@groundswell/server/faults/stack.ts'
import { until } from '@groundswell/server/faults/until.ts'

/**
 * Prints through how many files, modules and functions three actions pass on the server: a click on Push, a merge of two insights, and a message in Slack
 * that makes an insight due. Measured by V8's coverage of a running server. A function counts if it ran in each of three rounds, so that a sweep that
 * happens to run does not. Files of `server/platform/` and `contract/`, and the worker thread of the engine, do not count.
 *   npm run bench:walks [-- --files]
 * `--files` also lists the files.
 */
const ROUNDS = 3
const SUBJECTS = [
  ['CSV export stops after a thousand rows', 'Password reset mail never arrives', 'Dark mode text is unreadable'],
  ['Search finds no archived tickets', 'Calendar invites show the wrong time zone', 'Invoices list the old address'],
  ['Uploading a video freezes the browser', 'Keyboard shortcuts stopped working', 'Two-factor codes are refused'],
  ['Maps do not load on the phone', 'The printer cuts the last column', 'Comments disappear after a refresh'],
]

type Script = {
  url: string
  functions: { functionName: string; ranges: { startOffset: number; count: number }[] }[]
}

/** What has run in a process since it was asked last, as `file#function`. */
class Coverage {
  readonly #socket: WebSocket
  #id = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
  }

  static async of(address: string): Promise<Coverage> {
    const socket = new WebSocket(address)
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve)
      socket.addEventListener('error', reject)
    })
    const coverage = new Coverage(socket)
    await coverage.#ask('Profiler.enable')
    await coverage.#ask('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    return coverage
  }

  async take(): Promise<Set<string>> {
    const { result } = (await this.#ask('Profiler.takePreciseCoverage')) as { result: Script[] }
    const own = result.filter(({ url }) => url.startsWith('file://') && !url.includes('/node_modules/'))
    return new Set(
      own.flatMap(({ url, functions }) =>
        functions
          .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
          .map(
            ({ functionName, ranges }) =>
              `${url.slice(url.indexOf(ROOT) + ROOT.length)}#${functionName}:${ranges[0]?.startOffset}`,
          ),
      ),
    )
  }

  close(): void {
    this.#socket.close()
  }

  #ask(method: string, params: object = {}): Promise<unknown> {
    this.#id += 1
    const id = this.#id
    return new Promise((resolve) => {
      const hear = ({ data }: MessageEvent) => {
        const message = JSON.parse(String(data)) as { id?: number; result?: unknown }
        if (message.id !== id) return
        this.#socket.removeEventListener('message', hear)
        resolve(message.result)
      }
      this.#socket.addEventListener('message', hear)
      this.#socket.send(JSON.stringify({ id, method, params }))
    })
  }
}

const ROOT = `${new URL('../..', import.meta.url).pathname}`

/** The module of a file, as the table of packages in docs/architecture.md has them. */
function moduleOf(file: string): string {
  const parts = file.split('/')
  if (file.startsWith('server/features/')) return parts.slice(0, 3).join('/')
  if (file.startsWith('server/') && parts.length === 2) return 'server'
  return parts.slice(0, 2).join('/')
}

const isOwn = (one: string) => !one.startsWith('server/platform/') && !one.startsWith('contract/')

/** What ran in each round. */
function counted(rounds: readonly Set<string>[]): string[] {
  const [first = new Set<string>(), ...others] = rounds
  return [...first].filter((one) => isOwn(one) && others.every((other) => other.has(one)))
}

const { values } = parseArgs({ options: { files: { type: 'boolean', default: false } } })
const slack = await startSlack({ company: [], retryDelays: [] })
const receiver = await startReceiver()
const stack = await Stack.start(['all-in-one'], ['--inspect=0'], {
  SLACK_BASE_URL: slack.url,
  ...slack.environment,
  ENCODER: 'off',
})
try {
  const [child] = stack.children('all-in-one')
  const address = /ws:\/\/\S+/.exec(child?.output ?? '')?.[0]
  if (!address) throw new Error('the server offers no inspector')
  await stack.furnish()
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${stack.client.base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${stack.client.token}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as T
  }
  type Listed = { issue_number: number; issue_name: string; status: string }
  const list = () => ask<Listed[]>('GET', '/api/insights/get-all')

  const { url } = await ask<{ url: string }>('POST', '/api/slack/authorize')
  await ask('POST', '/api/slack/oauth', Object.fromEntries((await decide(url)).back.searchParams))
  slack.sendEventsTo(`${stack.client.base}/api/slack/events`)

  let person = 0
  const say = (text: string) => {
    person += 1
    slack.post({ channel: 'general', author: `Person ${person}`, text: `${text} (${person})` })
  }
  const [pushed = [], merged = [], others = [], arriving = []] = SUBJECTS
  for (const subject of [...pushed, ...merged, ...others]) for (let times = 0; times < 4; times += 1) say(subject)
  for (const subject of arriving) for (let times = 0; times < 2; times += 1) say(subject)
  const before = await until(
    'the insights',
    async () => {
      const found = await list()
      return found.length >= 9 ? found : undefined
    },
    { explain: async () => JSON.stringify(await list()) },
  )
  // What qualifies before a destination is connected is held: it is pushed by hand only.
  await ask('POST', '/api/webhook/add', { webhook: receiver.url })
  const numberOf = (subject: string) => {
    const word = subject.split(' ')[0]?.toLowerCase() ?? ''
    const found = before.find(({ issue_name: name }) => name.toLowerCase().includes(word))
    if (!found) throw new Error(`no insight of “${subject}” among ${before.map((one) => one.issue_name).join(', ')}`)
    return found.issue_number
  }
  const coverage = await Coverage.of(address)
  /** Until one more insight has been pushed, its status included. Asks the database, so that the server does no more than the walk. */
  const pushedOneMore = async (act: () => Promise<unknown> | void) => {
    const count = async () =>
      (await stack.query<{ count: number }>(`select count(*)::int as count from insight where status = 'pushed'`))[0]
        ?.count ?? 0
    const known = await count()
    await act()
    await until('the push', async () => ((await count()) > known ? true : undefined))
  }
  const idle = () =>
    until('the server to be idle', async () => ([...(await coverage.take())].some(isOwn) ? undefined : true), {
      everyMs: 1_000,
    })
  const walks: Record<string, Set<string>[]> = {
    'a click on Push': [],
    'a merge': [],
    'a Slack message to the webhook': [],
  }
  const walk = async (name: string, act: () => Promise<unknown>) => {
    await idle()
    await act()
    walks[name]?.push(await coverage.take())
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    await walk('a click on Push', () =>
      pushedOneMore(() => ask('POST', `/api/insights/${numberOf(pushed[round] ?? '')}/push`, {})),
    )
    await walk('a merge', async () => {
      const from = numberOf(merged[round] ?? '')
      await ask('POST', `/api/insights/${from}/corrections`, { kind: 'merge', into: numberOf(others[round] ?? '') })
      await until('the merge', async () => ((await list()).some((one) => one.issue_number === from) ? undefined : true))
    })
    await walk('a Slack message to the webhook', () => pushedOneMore(() => say(arriving[round] ?? '')))
  }
  coverage.close()
  for (const [name, rounds] of Object.entries(walks)) {
    const functions = counted(rounds)
    const files = new Set(functions.map((one) => one.slice(0, one.indexOf('#'))))
    const modules = new Set([...files].map(moduleOf))
    console.log(`${name}: ${files.size} files, ${modules.size} modules, ${functions.length} functions`)
    if (values.files) console.log([...files].toSorted().join('\n'), '\n', [...modules].toSorted().join(' '))
  }
} finally {
  await stack.stop()
  await slack.stop()
  await receiver.stop()
}

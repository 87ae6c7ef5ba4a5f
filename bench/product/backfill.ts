import { type CompanyMessage, loadCompany, startSlack } from '@groundswell/connectors/sandbox/index.ts'
import { addConnection, listConnectors } from '@groundswell/contract/connections.ts'
import { perturbed } from '@groundswell/server/faults/perturb.ts'
import { seeded } from '@groundswell/server/faults/random.ts'
import { Stack } from '@groundswell/server/faults/stack.ts'
import { until } from '@groundswell/server/faults/until.ts'
import { type Figure, figure } from '../engine/figures.ts'
import { cpuSeconds, watchMemory } from './processes.ts'

type Backfill = { seconds: number; requests: number; people: number; cpu: number; memoryMiB: number }

const MANY = 20_000
const MORE = 60_000
const CHANNELS = 4
/** The maximum page size of Slack's history. */
const MAX_PAGE_SIZE = 999
/** The page size that Slack recommends for people. */
const PEOPLE_A_PAGE = 200
/** Slack's usual limit for reading history, with a page size at which reading takes more than two minutes. */
const LIMIT = { perMinute: 50, objects: 160 }
const MAX_REQUESTS_RATIO = 1.2

/** Reads a Slack workspace with many messages through the whole product into PostgreSQL, at full speed and at Slack's rate limit. */
export async function benchBackfill(): Promise<Figure[]> {
  const all = await backfill(MANY, null)
  const more = await backfill(MORE, null)
  const limited = await backfill(MANY, LIMIT)
  // Every page of history, the list of channels, and the names of the people who wrote.
  const least = CHANNELS * Math.ceil(MANY / CHANNELS / MAX_PAGE_SIZE) + 1 + Math.ceil(all.people / PEOPLE_A_PAGE)
  const limitedPages = CHANNELS * Math.ceil(MANY / CHANNELS / LIMIT.objects)
  // The requests of the first minute may all be made at once, and so may those of the last, incomplete minute.
  const leastSeconds = (Math.ceil(limitedPages / LIMIT.perMinute) - 1) * 60
  const size = MANY.toLocaleString('en-US')
  return [
    figure('reading Slack: requests per 1,000 messages', '', [(1000 * all.requests) / MANY]),
    figure(
      'the same as a multiple of the least: pages of history, of people, of channels',
      '×',
      [all.requests / least],
      {
        atMost: MAX_REQUESTS_RATIO,
      },
    ),
    figure(`reading Slack: ${size} messages with no limit`, 's', [all.seconds]),
    figure(
      `the same at ${LIMIT.perMinute} requests a minute of ${LIMIT.objects} messages, as a multiple of the least time`,
      '×',
      [limited.seconds / leastSeconds],
    ),
    figure(`peak memory after ${MORE.toLocaleString('en-US')} messages as a multiple of that after ${size}`, '×', [
      more.memoryMiB / all.memoryMiB,
    ]),
    figure('reading Slack: messages per second of CPU', '', [MANY / all.cpu]),
  ]
}

async function backfill(messages: number, limit: typeof LIMIT | null): Promise<Backfill> {
  const slack = await startSlack({ company: company(messages), retryDelays: [] })
  if (limit) slack.limit(limit)
  const stack = await Stack.start(['all-in-one'], [], { SLACK_BASE_URL: slack.url })
  try {
    await stack.furnish()
    const [child] = stack.children('all-in-one')
    if (!child) throw new Error('the server is not there')
    const endWatch = watchMemory(child.pid)
    const before = cpuSeconds(child.pid)
    const began = performance.now()
    await stack.client.call(addConnection, { params: { tile: 'slack' }, body: { bot_token: slack.botToken } })
    await until(
      'everything to be read',
      async () => {
        const { connectors } = await stack.client.call(listConnectors)
        const connection = connectors.find(({ manifest }) => manifest.id === 'slack')?.connection
        return connection?.status === 'connected' && connection.progress?.read === messages ? true : undefined
      },
      { deadlineMs: 900_000, everyMs: 100, explain: () => stack.said() },
    )
    const seconds = (performance.now() - began) / 1000
    const requests = Object.values(slack.requests()).reduce((sum, count) => sum + count, 0)
    const people = new Set(slack.workspace.all().map(({ user }) => user)).size
    const run = { seconds, requests, people, cpu: cpuSeconds(child.pid) - before, memoryMiB: endWatch() / 1024 ** 2 }
    process.stderr.write(`backfill of ${messages}${limit ? ', limited' : ''}: ${JSON.stringify(run)}\n`)
    return run
  } finally {
    await stack.stop()
    await slack.stop()
  }
}

/** The demo company's messages, reworded and spread over a few channels, one per minute. */
function company(messages: number): CompanyMessage[] {
  const rows = [...perturbed(loadCompany(), messages, seeded(1))]
  return rows.map(({ id, text, author }, index) => ({
    id,
    kind: 'message',
    channel: `channel-${index % CHANNELS}`,
    thread: null,
    author,
    company: 'Tallybrook',
    at: index,
    text,
    label: null,
    also: [],
    lang: 'en',
  }))
}

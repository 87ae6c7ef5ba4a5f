import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { authenticate, authProtocol } from '@groundswell/server/auth/index.ts'
import { boot } from '@groundswell/server/boot.ts'
import { between, seeded } from '@groundswell/server/faults/random.ts'
import { createAccount } from '@groundswell/server/features/accounts/index.ts'
import { addFileSource } from '@groundswell/server/features/connections/index.ts'
import { storeItems } from '@groundswell/server/features/feedback/index.ts'
import { insightRoutes } from '@groundswell/server/features/insights/index.ts'
import { readConfig } from '@groundswell/server/platform/config/config.ts'
import { inWorkspace, withoutWorkspace } from '@groundswell/server/platform/db/tenant.ts'
import { createHttp } from '@groundswell/server/platform/http/create.ts'
import type { Services } from '@groundswell/server/platform/services.ts'
import { allWorkspaces } from '@groundswell/server/platform/sweep/store.ts'
import { type Figure, figure } from '../engine/figures.ts'
import { cpuMs } from './processes.ts'

const BATCH = 2_000
const WORDS = 20_000
const WORDS_PER_MESSAGE = 20
const SEARCHES = 50
/** Every tenth message is in Japanese, which is written without spaces. */
const JAPANESE = 10
const TARGET_P95_MS = 200
const SYLLABLES = [
  'ba',
  'ce',
  'di',
  'fo',
  'gu',
  'ka',
  'le',
  'mi',
  'no',
  'pu',
  'ra',
  'se',
  'ti',
  'vo',
  'wu',
  'xa',
  'ye',
  'zi',
  'bo',
  'cu',
]

const CHARACTERS = '請求書画面空白表示設定保存読込検索通知連携更新移動削除追加確認変更登録接続印刷共有権限履歴'
const PARTICLES = 'はがをにでの'

type Random = ReturnType<typeof seeded>

/** How long a search by words takes over HTTP, in milliseconds, in a workspace of `rows` messages beside one of a quarter as many. */
export async function benchSearch({ rows }: { rows: number }): Promise<Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'groundswell-bench-'))
  const config = readConfig({
    GROUNDSWELL_DATA: folder,
    PORT: '0',
    LOG_LEVEL: 'silent',
    AUTH_RATE_LIMITS: 'off',
    ENCODER: 'off',
  })
  const { services, stop } = await boot(config, { stopWithParent: true })
  try {
    const app = await createHttp(services, {
      handlers: insightRoutes(services),
      mounts: [authProtocol(services)],
      authenticate: authenticate(services),
    })
    const other = await account(services, 'other@example.com')
    const own = await account(services, 'bench@example.com')
    const random = seeded(21)
    await fill(services, other, rows / 4, random)
    const began = performance.now()
    await fill(services, own, rows, random)
    const perItem = (performance.now() - began) / rows
    const payload = { email: 'bench@example.com', password: PASSWORD }
    const answer = await app.inject({ method: 'POST', url: '/auth/v1/token?grant_type=password', payload })
    const headers = { authorization: `Bearer ${answer.json<{ access_token: string }>().access_token}` }
    const times = async (make: () => string) => {
      const taken: number[] = []
      for (let count = 0; count < SEARCHES; count += 1) {
        const url = `/api/feedback/search?${make()}`
        const start = performance.now()
        const { statusCode, body } = await app.inject({ method: 'GET', url, headers })
        taken.push(performance.now() - start)
        if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${body}`)
      }
      return taken.sort((a, b) => a - b)
    }
    const rare = () => word(between(random, 5_000, WORDS - 1))
    const common = () => word(between(random, 0, 20))
    const asked: [string, () => string][] = [
      ['a rare word', () => `words=${rare()}`],
      ['a word of some thousand messages', () => `words=${word(between(random, 50, 500))}`],
      ['a common word', () => `words=${common()}`],
      ['two common words', () => `words=${common()}+${common()}`],
      ['a common and a rare word', () => `words=${common()}+${rare()}`],
      ['the first three letters of a word', () => `words=${rare().slice(0, 3)}`],
      ['two words in quotes', () => `words=%22${word(between(random, 20, 200))}+${common()}%22`],
      ['a word in text without spaces', () => `words=${encodeURIComponent(japaneseWord(between(random, 50, 500)))}`],
      [
        'a common word in text without spaces',
        () => `words=${encodeURIComponent(japaneseWord(between(random, 0, 20)))}`,
      ],
      ['a word with punctuation', () => `words=${encodeURIComponent(`${word(between(random, 50, 500))}++`)}`],
      ['everything', () => ''],
    ]
    const figures: Figure[] = []
    for (const [what, make] of asked) {
      const before = await cpuMs(folder)
      const taken = await times(make)
      const cpu = ((await cpuMs(folder)) - before) / taken.length
      const at = (share: number) => taken[Math.floor(share * taken.length)] ?? Number.NaN
      figures.push(figure(`search for ${what}: median`, 'ms', [at(0.5)]))
      figures.push(figure(`search for ${what}: p95`, 'ms', [at(0.95)], { atMost: TARGET_P95_MS }))
      figures.push(figure(`search for ${what}: CPU`, 'ms', [cpu]))
      process.stderr.write(
        `${what}: CPU ${cpu.toFixed(0)}, ${at(0.5).toFixed(0)} ${at(0.95).toFixed(0)}, load ${loadavg()[0]?.toFixed(1)}\n`,
      )
    }
    const { rows: sizes } = await services.db.pool.query<{ index: number; all: number }>(
      `select pg_relation_size('feedback_search_words')::float8 as index, pg_total_relation_size('feedback_search')::float8 as all`,
    )
    figures.push(figure('index by words', 'MB', [(sizes[0]?.index ?? Number.NaN) / 1e6]))
    figures.push(figure('words with all indexes', 'MB', [(sizes[0]?.all ?? Number.NaN) / 1e6]))
    await app.close()
    return [...figures, figure('storing a message, with its words', 'ms', [perItem]), figure('messages', '', [rows])]
  } finally {
    await stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const PASSWORD = 'any input at all'

/** A new account, and the id of its workspace. */
async function account(services: Services, email: string): Promise<string> {
  const before = await withoutWorkspace(services.db, allWorkspaces)
  await createAccount(services, { email, password: PASSWORD, name: 'Bench' })
  const made = (await withoutWorkspace(services.db, allWorkspaces)).find((id) => !before.includes(id))
  if (made === undefined) throw new Error('the account has no workspace')
  return made
}

/** Stores messages as an import does. The word of rank n is n times as rare as the first. */
async function fill(services: Services, workspaceId: string, rows: number, random: Random): Promise<void> {
  const source = await inWorkspace(services.db, workspaceId, (tx) => addFileSource(tx, workspaceId, 'search.csv'))
  for (let from = 0; from < rows; from += BATCH) {
    const items = Array.from({ length: Math.min(BATCH, rows - from) }, (_, n) => ({
      externalId: `m${from + n}`,
      text: (n % JAPANESE === 0 ? japaneseText : spacedText)(random),
      author: null,
      at: new Date(Date.UTC(2025, 0, 1) + between(random, 0, 30_000_000) * 1_000),
      link: null,
      thread: null,
      place: null,
    }))
    await inWorkspace(services.db, workspaceId, (tx) => storeItems(tx, workspaceId, source.id, items))
  }
}

/** A made-up word for each rank. All have the same length, so that none is the beginning of another. */
function word(rank: number): string {
  return [8_000, 400, 20, 1].map((size) => SYLLABLES[Math.floor(rank / size) % 20]).join('')
}

const rank = (random: Random) => Math.floor(WORDS ** random()) - 1

function spacedText(random: Random): string {
  return Array.from({ length: WORDS_PER_MESSAGE }, () => word(rank(random))).join(' ')
}

function japaneseText(random: Random): string {
  return Array.from(
    { length: WORDS_PER_MESSAGE },
    () => japaneseWord(rank(random)) + PARTICLES[between(random, 0, PARTICLES.length - 1)],
  ).join('')
}

/** A made-up word of three characters for each rank. */
function japaneseWord(rank: number): string {
  const count = CHARACTERS.length
  return [count * count, count, 1].map((size) => CHARACTERS[Math.floor(rank / size) % count]).join('')
}

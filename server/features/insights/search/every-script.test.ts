import type { searchFeedback } from '@groundswell/contract/feedback/feedback-search.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { foldText } from '@groundswell/contract/values/fold-text.ts'
import { UNSPACED } from '@groundswell/contract/values/search-terms.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { runAsOwner } from '../../../platform/db/testing.ts'
import { fillSearches } from '../../feedback/index.ts'
import { withWorld, world } from '../testing.ts'

let workspace: string

withWorld()
beforeEach(async () => {
  workspace = await world.workspace()
})

const say = (texts: readonly string[], of = workspace) =>
  world.store(
    of,
    texts.map((text, n) => ({
      id: `said${n}`,
      text,
      author: `stranger ${n}`,
      at: new Date(Date.UTC(2027, 2, 1, 0, n)),
    })),
  )
const ask = async (words: string, more: Record<string, string> = {}, of = workspace) =>
  (await world.call(of, 'GET', `/api/feedback/search?${new URLSearchParams({ words, ...more }).toString()}`))
    .body as ReplyOf<typeof searchFeedback>
const found = async (words: string, of = workspace) =>
  (await ask(words, {}, of)).mentions.map(({ message }) => message ?? '').sort()

/** Texts, and the places of those that each search finds. */
const CASES: [string, readonly string[], Readonly<Record<string, readonly number[]>>][] = [
  [
    'Japanese words are found inside text without spaces',
    [
      '領収書をダウンロードしたら中身が空白でした。',
      '新着メールをダウン、その後ロード画面で止まる',
      '余白が大きいので空きを減らしてほしい',
      'ﾀﾞｳﾝﾛｰﾄﾞのボタンがない',
      'PDFが開けない、ver.２．０です',
    ],
    {
      ダウンロード: [0, 3],
      ﾀﾞｳﾝﾛｰﾄﾞ: [0, 3],
      空白: [0],
      空: [0, 2],
      白: [0, 2],
      'ダウンロード 空白': [0],
      '"ダウンロードしたら中身"': [0],
      '"ダウンロード空白"': [],
      ロード: [0, 1, 3],
      pdf: [4],
      PDFが開: [4],
      'ver 2.0': [4],
      空白ダウンロード: [],
    },
  ],
  [
    'two pairs of characters that do not follow each other are not a word',
    ['東京都の京都風ラーメン', '東京の都'],
    {
      東京都: [0],
      京都風: [0],
      都東: [],
      '"東京都"': [0],
      東京の都: [1],
    },
  ],
  [
    'Chinese, Thai, Khmer and emoji are found inside text without spaces',
    [
      '导出的报表是空白的，無法打開',
      'ดาวน์โหลดใบเสร็จแล้วหน้าว่าง',
      'មិនអាចទាញយកវិក្កយបត្រ',
      'love it 👍🏽👍🏽!',
      'great🎉work',
    ],
    {
      报表: [0],
      空白: [0],
      打開: [0],
      '"报表是空白"': [0],
      報表: [],
      ใบเสร็จ: [1],
      หน้าว่าง: [1],
      โหลดหน้า: [],
      ទាញយក: [2],
      '👍': [3],
      '👍🏽': [3],
      '🎉': [4],
      great: [4],
      work: [4],
      '🐛': [],
    },
  ],
  [
    'Korean words are found with the particles that follow them',
    ['다운로드가 안 됩니다', '파일 다운로드를 눌러도 오류가 납니다', '다운된 로드맵'],
    {
      다운로드: [0, 1],
      '다운로드 오류': [1],
      '오류 다운로드': [1],
      '"다운로드를 눌러도"': [1],
      로드: [0, 1, 2],
    },
  ],
  [
    'letters are found in any form: accents, ß, width, Turkish and Greek letters',
    [
      'Der Button ist zu Groß geraten',
      'alles GROSS geschrieben',
      'wie gross ist es',
      'the Caf\u00e9 app',
      'a cafe\u0301 nearby',
      'İstanbul ve ısı',
      'ＡＢＣ export',
      'Ο ΔΡΌΜΟΣ είναι κλειστός',
      'Łódź, smørrebrød & Encyclopædia',
    ],
    {
      groß: [0, 1, 2],
      'Groß x': [],
      'GROSS wie': [2],
      gross: [0, 1, 2],
      GROẞ: [0, 1, 2],
      cafe: [3, 4],
      'caf\u00e9': [3, 4],
      'cafe\u0301': [3, 4],
      istanbul: [5],
      İSTANBUL: [5],
      ISI: [5],
      abc: [6],
      ａｂｃ: [6],
      δρομος: [7],
      ΚΛΕΙΣΤΟΣ: [7],
      'lodz smorrebrod encyclopaedia': [8],
      '"Groß geraten"': [0],
      '"gross"': [1, 2],
      '"Caf\u00e9"': [3, 4],
      '"cafe"': [],
    },
  ],
  [
    'punctuation counts where it has a meaning',
    [
      'Our C++ team (C++17) waits',
      'the C# client',
      'Vitamin C and an F',
      'ASP.NET or .NET? Both!',
      'the net is down',
      'use <b>bold</b> text',
      'plan b',
      'it is 100 % broken',
      'stuck at 100%, again',
      '100 times',
      'node.js crashes for user@example.com',
      'press ctrl + c',
      '最新のC++で動かない',
      'see #12 and #123',
      'number 12',
    ],
    {
      'C++': [0, 12],
      'c++ team': [0],
      'team C++.': [0],
      '(C++)': [0, 12],
      'c++1': [0],
      'C#': [1],
      'c# client': [1],
      C: [0, 1, 2, 10, 11, 12],
      '.NET': [3],
      net: [3, 4],
      '<b>': [5],
      '</b>': [5],
      '"<b>bold"': [5],
      '100%': [7, 8],
      '100% again': [8],
      '"100%"': [8],
      100: [7, 8, 9],
      'node.js': [10],
      'user@example.com': [10],
      'ctrl+c': [11],
      '#12': [13],
      '#12 and': [13],
      '#123 see': [13],
      '#1 see': [],
      '"C++"': [0, 12],
      '"#1"': [],
    },
  ],
  [
    'what is quoted is found as it is, with whole words, over line breaks too',
    ['It takes\nminutes  to load', 'it takes minutest', 'retakes minutes, takes', 'a -> b'],
    {
      '"takes minutes"': [0],
      '“takes minutes”': [0],
      '"takes minutes to"': [0],
      '"TAKES" minutest': [1],
      '"takes minutes': [0, 1, 2],
      '"->"': [3],
      '"=>"': [],
    },
  ],
]

test.each(CASES)('%s', async (_, texts, searches) => {
  await say(texts)
  for (const [words, places] of Object.entries(searches)) {
    const expected = places.map((place) => texts[place] as string).sort()
    expect([words, await found(words)]).toEqual([words, expected])
  }
})

test('whatever is typed is answered', async () => {
  await say(['nothing special 空 (here)'])
  const typed = [
    '++',
    '"++',
    '<>',
    '#',
    '.',
    '%',
    '空"',
    '"',
    '""',
    '[',
    '(?i)',
    '***=a+',
    '<(.*)>',
    '\\m+',
    '%_%+',
    '\ud83d',
    'ー',
    '"[a"',
    '。、',
  ]
  for (const words of typed) {
    const { status } = await world.call(
      workspace,
      'GET',
      `/api/feedback/search?${new URLSearchParams({ words }).toString()}`,
    )
    expect([words, status]).toEqual([words, 200])
  }
  for (const path of ['/api/feedback/search', '/api/ungrouped']) {
    const status = async (words: string) =>
      (await world.call(workspace, 'GET', `${path}?${new URLSearchParams({ words }).toString()}`)).status
    expect([await status('空'.repeat(10_000)), await status('空\0'), await status('空'.repeat(200))]).toEqual([
      400, 400, 200,
    ])
  }
  expect(await found('空')).toHaveLength(1)
  await say([`${'空白'.repeat(5_000)}終端`, `${'㍍'.repeat(20_000)}`])
  expect(await found('終端')).toHaveLength(1)
  expect(await found('メートル')).toHaveLength(1)
})

test('another workspace finds nothing of it', async () => {
  const other = await world.workspace()
  await say(['秘密のダウンロード', 'secret C++'])
  expect([
    await found('ダウンロード', other),
    await found('秘', other),
    await found('C++', other),
    await found('"C++"', other),
  ]).toEqual([[], [], [], []])
  expect(await found('秘')).toHaveLength(1)
})

test('the newest are found first, and counted, also of many', async () => {
  await say(['the first'])
  await world.inside(workspace, (tx) =>
    sql`
      insert into feedback_item (workspace_id, connection_id, external_id, text, said_at, grouped_seq)
      select workspace_id, connection_id, 'copy' || n, case n % 2 when 0 then 'ダウンロードできません' else 'ダウン後にンロとロードが出る' end || n,
        said_at + n * interval '1 second', grouped_seq
      from feedback_item, generate_series(1, 120) n`.execute(tx),
  )
  const first = await ask('ダウンロード')
  expect(first).toMatchObject({ total: 60, mentions: { length: 50 } })
  expect(first.mentions[0]?.message).toBe('ダウンロードできません120')
  expect(await ask('ダウンロード', { cursor: String(first.next_cursor) })).toMatchObject({
    next_cursor: null,
    mentions: { length: 10 },
  })
})

/** The words of a text as they were stored before other scripts were searched. */
const EARLIER_LEXEMES = `
  create function earlier_lexemes(of_workspace uuid, of_text text) returns setof text
    language sql immutable parallel safe
    as $$
      select pg_catalog.left(of_workspace::text, 4) || pg_catalog.left(lexeme, 64)
      from pg_catalog.unnest(pg_catalog.to_tsvector('pg_catalog.simple'::regconfig,
        pg_catalog.regexp_replace(pg_catalog.left(of_text, 20000), '[][!-/:-@\\\\^_\`{-~‘’“”„«»–—…·]+', ' ', 'g')))
    $$;`

test('messages whose words are stored as before are found as before, then as now; a stop in the middle loses nothing', async () => {
  const texts = Array.from({ length: 9 }, (_, n) => `Größe ${n}: 請求書のダウンロード`)
  await say([...texts, 'only plain words'])
  await runAsOwner(world.services.config.databaseUrl as string, EARLIER_LEXEMES)
  const earlier = () =>
    world.inside(workspace, async (tx) => {
      await sql`
        update feedback_search f set words = array_to_tsvector(array(select word from earlier_lexemes(item.workspace_id, item.text) word))
        from feedback_item item where item.workspace_id = f.workspace_id and item.id = f.item_id`.execute(tx)
      await sql`insert into search_renewal (workspace_id) values (${workspace}) on conflict do nothing`.execute(tx)
    })
  await earlier()
  expect(await ask('größe')).toMatchObject({ complete: false, total: 9 })
  expect(await ask('請求書')).toMatchObject({ complete: false, total: 9 })
  expect(await ask('ダウンロード')).toMatchObject({ complete: false, total: 0 })

  let looks = 0
  const soon = {
    get aborted() {
      looks += 1
      return looks > 3
    },
  } as AbortSignal
  await fillSearches(world.services, soon, 2)
  expect(await ask('größe')).toMatchObject({ complete: false, total: 9 })
  const { total } = await ask('ダウンロード')
  expect(total).toBeGreaterThan(0)
  expect(total).toBeLessThan(9)

  await say(['Größe, geändert'])
  await world.inside(workspace, (tx) => sql`delete from feedback_item where text = ${texts[8]}`.execute(tx))
  expect((await fillSearches(world.services, undefined, 2)).failed).toEqual([])
  expect(await ask('ダウンロード')).toMatchObject({ complete: true, total: 7 })
  expect(await ask('grosse')).toMatchObject({ total: 8 })
  expect(await found('grosse geandert')).toEqual(['Größe, geändert'])
  expect(await found('only plain')).toEqual(['only plain words'])
})

test('a message that is being written meanwhile is renewed later', async () => {
  await say(['ein Größenfehler', 'noch ein Größenfehler'])
  await world.inside(workspace, (tx) =>
    sql`
    update feedback_search set words = array_to_tsvector(array[left(workspace_id::text, 4) || 'x'])`.execute(tx),
  )
  await world.inside(workspace, (tx) =>
    sql`insert into search_renewal (workspace_id) values (${workspace})`.execute(tx),
  )
  const writer = await world.services.db.pool.connect()
  try {
    await writer.query('begin')
    await writer.query("select set_config('groundswell.workspace', $1, true)", [workspace])
    await writer.query('select from feedback_search order by item_id desc limit 1 for update')
    expect((await fillSearches(world.services)).failed).toEqual([])
    expect(await ask('grossenfehler')).toMatchObject({ complete: false, total: 1 })
  } finally {
    await writer.query('rollback')
    writer.release()
  }
  await fillSearches(world.services)
  expect(await ask('grossenfehler')).toMatchObject({ complete: true, total: 2 })
})

test('the database folds letters and tells scripts apart as the program does', async () => {
  const ends =
    UNSPACED.match(/./gu)
      ?.filter((one) => one !== '-')
      .map((one) => one.codePointAt(0) as number) ?? []
  const near = [...new Set(ends.flatMap((one) => [one - 1, one, one + 1]))].map((one) => String.fromCodePoint(one))
  const pattern = new RegExp(`[${UNSPACED}]`, 'u')
  const texts = [
    'Groß ẞ ﬁn ½ … ™',
    'İIıi ΟΔΟΣ οδός',
    'cafe\u0301 café ＡＢＣ ｶﾞｷﾞ',
    '한글 각 \u1112\u1161\u11ab',
    'Łódź ŒUVRE Ærø Đà',
    'мой ещё',
    'plain ASCII <b>',
  ]
  await world.inside(workspace, async (tx) => {
    const { rows } = await sql<{ run: string }>`
      select search_unspaced(one) as run from unnest(${near}::text[]) with ordinality as given (one, place) order by place`.execute(
      tx,
    )
    expect(rows.map(({ run }) => run)).toEqual(near.map((one) => (pattern.test(one) ? one : '')))
    const folded = await sql<{ text: string }>`
      select search_fold(one) as text from unnest(${texts}::text[]) with ordinality as given (one, place) order by place`.execute(
      tx,
    )
    expect(folded.rows.map(({ text }) => text)).toEqual(texts.map(foldText))
  })
})

import { randomBytes } from 'node:crypto'
import { access, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { proxyTo } from '../platform/db/test-proxy.ts'
import { openConnection, type TestDatabase, testDatabase } from '../platform/db/testing.ts'
import { type Outcome, groundswell as runCommand, groundswellProcess as runProcess } from './testing.ts'

const Report = z.strictObject({
  insights: z.array(
    z.strictObject({
      issue_number: z.int(),
      issue_name: z.string().min(1),
      summary: z.string().min(1),
      mention_count: z.int().min(2),
      emerging: z.boolean(),
      mentions: z.array(z.strictObject({ line: z.int().min(1), text: z.string() })),
    }),
  ),
  ungrouped: z.array(z.int().min(1)),
})

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'groundswell-cli-'))
  await mkdir(path.join(folder, 'kinds'))
  await writeFile(path.join(folder, 'kinds', 'one.csv'), 'id,text\n1,The export stops\n')
  await writeFile(path.join(folder, 'kinds', 'two.txt'), 'The import stops')
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

type Options = { input?: string; env?: Record<string, string> }

const groundswell = (args: string[], options: Options = {}): Promise<Outcome> =>
  runCommand(args, { folder, ...options })
/** Once for each command. */
const groundswellProcess = (args: string[], options: Options = {}): Promise<Outcome> =>
  runProcess(args, { folder, ...options })

const exports = [
  'The CSV export fails for large reports',
  'CSV export fails when the report is large',
  'Export to CSV fails on large reports',
]
const logins = [
  'I cannot log in since the update',
  'Cannot log in after the update',
  'Since the update I cannot log in any more',
]
const others = ['Lunch at noon?', 'The invoice total is wrong by one cent']
const messages = [...exports, ...logins, ...others]

describe('group', () => {
  test('prints exactly the promised JSON, and every line is in one place', async () => {
    await writeFile(path.join(folder, 'm.txt'), messages.join('\n'))
    const { code, out, err } = await groundswellProcess(['group', 'm.txt', '--format', 'json'])
    expect(err).toBe('')
    expect(code).toBe(0)
    const report = Report.parse(JSON.parse(out))
    const lines = [
      ...report.insights.flatMap((insight) => insight.mentions.map(({ line }) => line)),
      ...report.ungrouped,
    ]
    expect(lines.sort((a, b) => a - b)).toEqual(messages.map((_, index) => index + 1))
    for (const insight of report.insights) {
      expect(insight.mention_count).toBe(insight.mentions.length)
      for (const mention of insight.mentions) expect(mention.text).toBe(messages[mention.line - 1])
    }
    const together = report.insights.map((insight) => insight.mentions.map(({ line }) => line).sort((a, b) => a - b))
    expect(together).toContainEqual([1, 2, 3])
    expect(together).toContainEqual([4, 5, 6])
  })

  test('takes the first column of a TSV, another when it is named, and standard input', async () => {
    const tsv = messages.map((message, index) => `${message}\tlabel ${index}`).join('\n')
    const piped = await groundswellProcess(['group', '--words', '-', '--input-format', 'tsv', '--format', 'json'], {
      input: tsv,
    })
    expect(
      Report.parse(JSON.parse(piped.out)).insights.flatMap(({ mentions }) => mentions.map((m) => m.text)),
    ).toContain(messages[0])
    await writeFile(
      path.join(folder, 'm.csv'),
      `nr,remark\n${messages.map((message, i) => `${i},"${message}"`).join('\n')}`,
    )
    const named = await groundswell(['group', '--words', 'm.csv', '--text-column', 'remark', '--format', 'json'])
    const report = Report.parse(JSON.parse(named.out))
    expect(report.insights.flatMap(({ mentions }) => mentions.map(({ line }) => line))).toContain(2)
  })

  test('reads the first line, the encoding and the dates as its options say', async () => {
    const rows = ['alpha;beta', ...messages.map((one, index) => `${index};${one}`)].join('\n')
    await writeFile(path.join(folder, 'plain.csv'), rows)
    const lines = async (...options: string[]) => {
      const { out, code } = await groundswell(['group', '--words', 'plain.csv', '--format', 'json', ...options])
      expect(code).toBe(0)
      const report = Report.parse(JSON.parse(out))
      return [...report.insights.flatMap(({ mentions }) => mentions.map(({ line }) => line)), ...report.ungrouped]
        .length
    }
    expect(await lines('--header', '--text-column', 'beta')).toBe(messages.length)
    expect(await lines('--no-header', '--text-column', '2')).toBe(messages.length + 1)
    await writeFile(path.join(folder, 'western.txt'), Buffer.from('caf\u00e9 au lait\ncaf\u00e9 noir', 'latin1'))
    const strict = await groundswell(['group', 'western.txt', '--encoding', 'utf-8'])
    expect(strict.err).toContain('not valid UTF-8')
    expect((await groundswell(['group', '--words', 'western.txt'])).code).toBe(0)
    for (const option of [
      ['--encoding', 'ebcdic'],
      ['--date-order', 'year-first'],
    ]) {
      const refused = await groundswell(['group', 'western.txt', ...option])
      expect(refused.code).toBe(2)
      expect(refused.err).toContain(`${option[0]} is one of`)
    }
  })

  test('groups as an installation does, by meaning and with emerging insights; with --words by words alone', async () => {
    const meant = [
      'Please add a dark mode to the app',
      'A black theme would be easier on my eyes at night',
      'Is there a night theme? The white screen hurts in the evening',
      'The map takes a minute until it appears',
      'Loading of maps is terribly slow',
      'The invoice total is wrong by one cent',
      'Lunch at noon?',
    ]
    await writeFile(path.join(folder, 'meant.txt'), meant.join('\n'))
    const found = async (...options: string[]) => {
      const { out, err } = await groundswell(['group', 'meant.txt', '--format', 'json', ...options])
      expect(err).toBe('')
      const { insights } = Report.parse(JSON.parse(out))
      return insights.map(({ mentions, emerging }) => ({ lines: mentions.map(({ line }) => line), emerging }))
    }
    expect(await found()).toEqual([
      { lines: [1, 2, 3], emerging: false },
      { lines: [4, 5], emerging: true },
    ])
    expect(await found('--words')).toEqual([{ lines: [2, 3], emerging: false }])
    const { out } = await groundswell(['group', 'meant.txt'])
    expect(out).toMatch(/Emerging, with little evidence so far\n +2 {2}Loading of maps/)
    expect(out).toContain('1 insight and 1 emerging from 5 of 7 messages; 2 in none.')
  })

  test('says so where the encoder cannot be used, and compares words', async () => {
    const env = { ENCODER_MODEL: path.join(folder, 'no-model') }
    const { code, out, err } = await groundswell(['group', 'm.txt'], { env })
    expect(code).toBe(0)
    expect(err).toContain('Words are compared: ')
    expect(out).toContain('2 insights from 6 of 8 messages')
  })

  test('prints a table with counts', async () => {
    await writeFile(path.join(folder, 't.txt'), messages.join('\n'))
    const { out } = await groundswell(['group', '--words', 't.txt'])
    expect(out).toMatch(/^mentions {2}insight/)
    expect(out).toMatch(/2 insights from 6 of 8 messages; 2 in none\./)
  })

  test.each([
    ['a missing file', ['group', 'nowhere.csv'], 'There is no file'],
    [
      'a folder of files of different kinds',
      ['group', '.'],
      'Several files are read as one if they have the same columns',
    ],
    ['an unknown format', ['group', 'm.txt', '--format', 'xml'], '--format is table or json'],
    ['an unknown command', ['grope'], 'unknown command'],
    ['no file', ['group'], "missing required argument 'file'"],
  ])('%s: reports it and exits with 2', async (_name, args, words) => {
    const { code, err, out } = await groundswell(args)
    expect(err).toContain(words)
    expect(out).toBe('')
    expect(code).toBe(2)
  })

  test('an empty file: reports it and exits with 2', async () => {
    const { code, err } = await groundswellProcess(['group', '-'], { input: '' })
    expect(err).not.toBe('')
    expect(err).not.toContain('    at ')
    expect(code).toBe(2)
  })
})

describe('files that are no backup', () => {
  const lines = Buffer.from('{"groundswell_backup":1}\n'.repeat(500))
  const packed = gzipSync(randomBytes(5_000).toString('hex'))
  const data = () => path.join(folder, 'untouched')

  beforeAll(async () => {
    await writeFile(path.join(folder, 'empty.gz'), '')
    await writeFile(path.join(folder, 'random.gz'), randomBytes(5_000))
    await writeFile(path.join(folder, 'plain.gz'), lines)
    await writeFile(path.join(folder, 'cut.gz'), packed.subarray(0, 2_000))
  })

  test.each([
    ['restore', 'missing.gz', /^There is no \S+missing\.gz\.\n$/],
    ['restore', '.', /^\S+ is not a file\.\n$/],
    ['restore', 'empty.gz', /^The file is empty\.\n$/],
    ['restore', 'random.gz', /^This file is not a Groundswell backup: it is not gzip\.\n$/],
    ['restore', 'plain.gz', /^This file is not a Groundswell backup: it is not gzip\.\n$/],
    ['restore', 'cut.gz', /^The backup is truncated: the file ends early\.\n$/],
    ['backup', 'nowhere/b.gz', /^There is no \S+nowhere\.\n$/],
    ['backup', 'plain.gz/b.gz', /^\S+plain\.gz is not a folder\.\n$/],
  ])('%s %s is refused in one sentence, and no installation is made', async (command, file, sentence) => {
    const { code, out, err } = await groundswell([command, file], { env: { GROUNDSWELL_DATA: data() } })
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(sentence)
    await expect(access(data())).rejects.toThrow('ENOENT')
  })
})

describe('on an installation', () => {
  let database: TestDatabase
  let env: Record<string, string>

  beforeAll(async () => {
    database = await testDatabase()
    env = { DATABASE_URL: database.ownerUrl, GROUNDSWELL_DATA: database.config.dataDir }
  })
  afterAll(() => database.cleanup())

  test('create, import twice, export, backup, doctor', async () => {
    const none = await groundswell(['import', 'm.txt'], { env })
    expect(none.err).toContain('no account yet')
    expect(none.code).toBe(2)

    const created = await groundswellProcess(['admin', 'create', 'Ops@Example.com', 'Ops'], {
      env,
      input: 'a long enough one\n',
    })
    expect(created.err).toBe('')
    expect(created.out).toContain('is admin')
    expect((await groundswellProcess(['admin', 'list'], { env })).out).toBe('ops@example.com\tOps\tadmin\n')

    await writeFile(
      path.join(folder, 'i.csv'),
      `text,date\n${messages.map((m) => `"${m}",2026-01-02`).join('\n')}\n,2026-01-02\n`,
    )
    const first = await groundswellProcess(['import', 'i.csv'], { env })
    expect(first.out).toContain('8 added, 0 already there, 1 could not be read.')
    expect(first.out).toContain('line 10:')
    const second = await groundswell(['import', 'i.csv'], { env })
    expect(second.out).toContain('0 added, 8 already there, 1 could not be read.')

    const exported = await groundswellProcess(['export'], { env })
    const rows = exported.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { text: string })
    expect(rows.map((row) => row.text)).toEqual(messages)

    await writeFile(path.join(folder, 'one.csv'), 'id,text\n1,said in the survey\n1,said in it again\n')
    await writeFile(path.join(folder, 'two.csv'), 'id,text\n1,said in a ticket\n')
    const survey = await groundswell(['import', 'one.csv', '--name', 'Survey'], { env })
    expect(survey.out).toContain('Source: Survey\n1 added')
    expect(survey.out).toContain('row 3 repeats row 2')
    expect((await groundswell(['import', 'two.csv'], { env })).out).toContain('Source: two\n1 added, 0 already there')
    const asked = await groundswell(['import', 'two.csv', '--source', 'Survey'], { env })
    expect([asked.code, asked.err]).toEqual([
      2,
      expect.stringContaining('1 row would replace the text of messages in “Survey”'),
    ])
    const kept = await groundswell(['import', 'two.csv', '--source', 'Survey', '--keep'], { env })
    expect(kept.out).toContain('Source: Survey\n0 added, 1 already there')
    const replaced = await groundswell(['import', 'two.csv', '--source', 'Survey', '--replace'], { env })
    expect(replaced.out).toContain('Source: Survey\n0 added, 1 with a new text, 0 already there')
    const unknown = await groundswell(['import', 'two.csv', '--source', 'Nothing'], { env })
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('There is no source “Nothing”')])

    const backup = await groundswellProcess(['backup', 'b.gz'], { env })
    expect(backup.err).toBe('')
    expect(await readdir(folder)).toContain('b.gz')
    // A database on another machine: every answer takes 40 ms.
    const remote = await testDatabase()
    const slow = await proxyTo(remote.ownerUrl, 20)
    try {
      const restored = await groundswellProcess(['restore', 'b.gz'], {
        env: { DATABASE_URL: slow.url, GROUNDSWELL_DATA: remote.config.dataDir },
      })
      expect([restored.code, restored.err]).toEqual([0, ''])
      expect(restored.out).toContain('Everyone signs in again.')
    } finally {
      await slow.close()
      await remote.cleanup()
    }
    const again = await groundswell(['restore', 'b.gz'], { env })
    expect(again.err).toContain('already has accounts')
    expect(again.code).toBe(2)

    const doctor = await groundswellProcess(['doctor'], { env })
    expect(doctor.out).toContain('The database isolates workspaces.')
    expect(doctor.out).toMatch(/No problems found|The web app is not built/)
  })

  test('the audit log shows what the operator did', async () => {
    const input = 'a long enough one\n'
    await groundswell(['admin', 'create', 'second@example.com', 'Second'], { env, input })
    await groundswell(['export', '--from', 'second@example.com'], { env })
    const log = await groundswellProcess(['admin', 'audit'], { env })
    const entries = log.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { action: string; actor: string; target: string | null })
    const mine = entries.filter(({ actor }) => actor === 'operator').map(({ action, target }) => [action, target])
    expect(mine).toContainEqual(['account.created', 'second@example.com'])
    expect(mine).toContainEqual(['feedback.exported', null])
    expect((await groundswell(['admin', 'audit', '--format', 'xml'], { env })).code).toBe(2)
  })

  test('new keys for everything, and a token for programs', async () => {
    const rotated = await groundswellProcess(['admin', 'rotate-keys'], { env })
    expect(rotated.err).toBe('')
    expect(rotated.out).toContain('Nobody is signed out.')
    expect(rotated.out).toMatch(/secrets are sealed with a new key [0-9a-f]{8}\./)
    const token = await groundswellProcess(['admin', 'service-token', '--hours', '2'], { env })
    const [, claims = ''] = token.out.split('.')
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ role: 'service_role' })
    expect((await groundswell(['admin', 'service-token', '--hours', 'x'], { env })).code).toBe(2)
    const given = { ...env, GROUNDSWELL_KEY: 'a'.repeat(64) }
    const kept = await groundswell(['admin', 'rotate-keys'], { env: given })
    expect(kept.out).toContain('GROUNDSWELL_OLD_KEYS')
    expect(kept.out).toContain('cannot be opened with any known key')
    expect(kept.code).toBe(1)
  })

  test('a backup with a secret that its key does not open says so', async () => {
    const backup = ['backup', '--secrets', 'secrets.gz']
    expect((await groundswell(backup, { env })).err).toBe('')
    const client = await openConnection(database.ownerUrl)
    await client.query(
      `insert into connection (workspace_id, id, connector, settings, sealed_secrets)
       select workspace_id, gen_random_uuid(), 'webhook', '{}', 's2.earlier1.AAAA' from workspace limit 1`,
    )
    await client.end()
    expect((await groundswell(backup, { env })).err).toMatch(/^1 of its secrets is sealed with an earlier key,/)
  })

  test('wrong settings are all named, with no stack', async () => {
    const { code, err } = await groundswell(['doctor'], { env: { ...env, PORT: 'x', SIGNUP: 'maybe' } })
    expect(err).toContain('PORT')
    expect(err).toContain('SIGNUP')
    expect(err).not.toContain('    at ')
    expect(code).toBe(2)
  })

  test('an unreachable database is reported as a problem', async () => {
    const away = { ...env, DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' }
    const { code, out } = await groundswell(['doctor'], { env: away })
    expect(out).toContain('PROBLEM DATABASE_URL: no database answers at 127.0.0.1:1.')
    expect(code).toBe(1)
  })
})

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readMigrations } from '../platform/db/migration-files.ts'
import { breaksOf } from '../platform/db/migration-locks.ts'
import { tableOwners } from '../tables.ts'
import { migrations } from './candidate.ts'
import { largeTables, lastingLocksOf } from './large-tables.ts'

/** Migrations that existing databases have applied, by their hashes. None is ever edited: the next change gets a new file, functions and triggers theirs. */
const landed: Record<string, string> = {
  // What new databases start from.
  '0117-baseline.sql': '26280015e3209046ad01d399cedeb54a1b7a3ed402c69c1cc085da23e8aff2bb',
  'baseline.json': '133ee84fe41f0645fe55940a41fa20fe8e006e7fb12f726e6799d6645d98b077',
  '0118-evaluation-runs.sql': 'a3fe9eabfc7beb6399a7ba5c7d73001af8aa3c4cc0d7cc8f48f15e012f11a743',
  '0119-report-days.sql': '3eaaa83faf8b363b3f693f2171eee2e97614ed580e1700ce2c8da740cf0f378a',
  '0122-evaluation-judges.sql': '49d2e79beb281a5d641e4f9360f4c9a6789f9bc8575f1310df859b85f209c839',
  '0123-report-mentions.sql': '93473cf8cc876df43fff6cb4d50c2f1dcdc980290b8eedfa79f86a854476461f',
  '0124-points-in-no-insight.sql': '82a7b4e2815ea002be3369182cd44135c8f7293c460601069dabebfaa97d5a98',
  '0125-report-day-insights.sql': '46a74a6cbdbca3c5c06bde7dac285f45ae7fb35351d5eca8f974274d66f387bb',
  '0126-review-errors.sql': '89d6e85ed910ee0932d55c3f2e627822a37333a65b7a06929a760dcc52bf26bb',
}

it.each(Object.entries(landed))('%s is as it landed', async (name, hash) => {
  const text = (await readFile(path.join(migrations, name), 'utf8')).replaceAll('\r\n', '\n')
  expect(createHash('sha256').update(text).digest('hex')).toBe(hash)
})

const { files, functions } = await readMigrations(migrations)

it('every migration is in this list, so that none is edited later', () => {
  expect(Object.keys(landed)).toEqual(expect.arrayContaining(files.map(({ name }) => name)))
})

it('no migration breaks the version that still runs', () => {
  const breaking = files.filter(({ sql }) => breaksOf(sql).length > 0)
  expect(breaking.map(({ name }) => name)).toEqual([])
})

/** What migrations and function files say before the next migration. */
const everything = [...files, ...functions].map(({ sql }) => sql).join('\n')

/**
 * Migrations that hold up everybody at a large table while they read or index one, each with the reason why there is no other way. A new one should
 * not be among them: it adds constraints as `not valid`, lets the next migration validate them, and leaves what there is to a job in the background.
 */
const HOLDING_UP: Record<string, string> = {}

it('no migration locks a large table while it reads or indexes one', () => {
  const holding: string[] = []
  let before = functions.map(({ sql }) => sql).join('\n')
  for (const { name, sql } of files) {
    const locks = lastingLocksOf(sql, before)
    if (locks.length > 0 && !(name in HOLDING_UP)) holding.push(`${name}: ${locks.join('; ')}`)
    if (locks.length === 0 && name in HOLDING_UP) holding.push(`${name} need not be listed`)
    before += `\n${sql}`
  }
  expect(holding).toEqual([])
})

it.each([
  ['create index statement_said on statement (said_at);', ['share lock of statement while it works on statement']],
  [
    'alter table feedback_item add column seen boolean; update feedback_item set seen = true;',
    ['access exclusive lock of feedback_item while it works on feedback_item'],
  ],
  [
    `alter table statement add constraint statement_kind check (kind <> '');`,
    ['access exclusive lock of statement while it works on statement'],
  ],
  [
    `alter table feedback_item no force row level security;
    create table item_total as select workspace_id, count(*) from feedback_item group by 1;`,
    ['access exclusive lock of feedback_item while it works on feedback_item'],
  ],
  [
    `create trigger counted after insert on mention_change for each row execute function count_it();
    do $$ begin delete from statement_vector where space = ''; end $$;`,
    ['share row exclusive lock of mention_change while it works on statement_vector'],
  ],
  [
    `create table mark (workspace_id uuid, item_id bigint, foreign key (workspace_id, item_id) references feedback_item);
    insert into mark select workspace_id, item_id from statement;`,
    ['share row exclusive lock of feedback_item while it works on statement'],
  ],
  [`alter table statement add constraint statement_kind check (kind <> '') not valid;`, []],
  ['alter table statement validate constraint statement_kind;', []],
  ['alter table feedback_item add column seen boolean not null default false;', []],
  ['create index insight_name on insight (workspace_id, name);', []],
])('a made-up migration: %s', (sql, locks) => {
  expect(lastingLocksOf(sql, everything)).toEqual(locks)
})

it('every large table is a table', () => {
  expect([...largeTables].filter((table) => !(table in tableOwners))).toEqual([])
})

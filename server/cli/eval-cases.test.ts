import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parseCases } from '../features/evaluation/index.ts'
import { openConnection, testDatabase } from '../platform/db/testing.ts'
import { duringTests } from '../platform/testing.ts'
import { groundswell, groundswellProcess } from './testing.ts'

const database = duringTests(() => testDatabase())

const surroundings = (input?: string) => {
  const { ownerUrl, config } = database
  return { folder: config.dataDir, env: { DATABASE_URL: ownerUrl, GROUNDSWELL_DATA: config.dataDir }, input }
}
const run = (args: string[], input?: string) => groundswell(args, surroundings(input))

/** A named insight with two mentions, as the owner of the tables stores it. */
async function nameInsight(allowed: boolean) {
  const owner = await openConnection(database.ownerUrl)
  try {
    const { rows } = await owner.query<{ id: string }>(
      'select workspace_id as id from entered_workspace((select id from account)) as workspace_id',
    )
    await owner.query('select set_config($1, $2, false)', ['groundswell.workspace', rows[0]?.id])
    if (allowed) await owner.query(`insert into case_consent select workspace_id, 'Ops', now() from workspace`)
    else
      await owner.query(`
        insert into connection (workspace_id, id, connector) select workspace_id, gen_random_uuid(), 'file' from workspace;
        insert into feedback_item (workspace_id, connection_id, external_id, text, said_at)
          select workspace_id, id, n::text, 'The export stops', now() from connection, generate_series(1, 2) n;
        insert into insight (workspace_id, issue_number, name, summary, name_by_person) select workspace_id, 1, 'Export stops', '', true from workspace;
        insert into statement (workspace_id, item_id, number, start_offset, end_offset, kind, issue_number, score, reason, said_at)
          select workspace_id, id, 0, 0, 16, 'joined', 1, 1, 'test', now() from feedback_item;
        insert into correction (workspace_id, issue_number, kind, request, person, touched, state)
          select workspace_id, 1, 'rename', '{"kind": "rename", "name": "Export stops"}', 'Ops', '{1}', 'applied' from workspace`)
  } finally {
    await owner.end()
  }
}

test('cases are listed and exported with the owner’s consent alone, and the audit log says so', async () => {
  await run(['admin', 'create', 'ops@example.com', 'Ops'], 'a long enough one\n')
  await nameInsight(false)
  for (const command of ['cases', 'run']) {
    const refused = await run(['eval', command])
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('has not allowed')])
  }
  await nameInsight(true)
  const listed = await run(['eval', 'cases'])
  expect([listed.code, listed.out]).toEqual([0, expect.stringMatching(/^\S+ {2}rename +2 messages\n1 case\n$/)])
  const exported = await groundswellProcess(['eval', 'cases', '--out', 'cases.jsonl'], surroundings())
  expect([exported.code, exported.err]).toEqual([0, expect.stringContaining('erasure, retention')])
  const cases = parseCases(await readFile(path.join(database.config.dataDir, 'cases.jsonl'), 'utf8'))
  expect(cases).toMatchObject([{ kind: 'rename', name: 'Export stops', messages: [{ text: 'The export stops' }, {}] }])
  const log = await run(['admin', 'audit'])
  expect(log.out.match(/"action":"cases\.read"/g)).toHaveLength(2)
})

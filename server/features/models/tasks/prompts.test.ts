import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { duringTests } from '../../../platform/testing.ts'
import { defineTask } from '../define-task.ts'
import { EXPORTS, goodReply, type ReceivedRequest, respond, ScriptedModel, World } from '../testing.ts'
import { Company, honest } from './joins/testing.ts'
import { splits } from './splits/task.ts'
import { tasks } from './tasks.ts'

const world = duringTests(() => World.start())
const model = duringTests(() => ScriptedModel.start())

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
/** Hashes of the instructions as the model received them, and whether anything but the data was sent with them. */
const sent = () => {
  const requests: ReceivedRequest[] = model.heard.splice(0)
  return requests.map(({ instructions, outside }) => ({
    hash: hashOf(instructions),
    nothingElse: outside === `${instructions}\n`,
  }))
}
/** The version under which a workspace's answers are stored. */
const versionsIn = async (company: Company, table: 'model_answer' | 'model_split') => {
  const { rows } = await world.inside(company.workspaceId, (tx) =>
    sql<{ version: string }>`select distinct prompt_version as version from ${sql.table(table)}`.execute(tx),
  )
  return rows.map(({ version }) => version)
}

const Named = z.object({ name: z.string() })

const LETTER = [
  'The CSV export of our yearly report stops after about ten thousand rows, every single time we try it, and our finance team cannot close the year without the complete file, so we end up copying the numbers by hand from the screen, which takes a full day.',
  'The invoices that we send to our German customers show the wrong tax number in the footer, although we changed it in the settings in January and saved it twice, and three of our customers have sent the invoices back and refused to pay until it is corrected.',
  'Our colleagues in the warehouse would like to sort the list of open orders by date on their phones, and not only on the desk.',
].join('\n')

/** Each prompt as it was when its version was made. A changed text is a new version, and a new line here. */
const FILES: Record<string, string> = {
  'describe-insight-1': '02577573f2102bba',
  'judge-joins-1': 'edbd38cd0f6f87b5',
  'judge-candidates-1': 'c05e60dd3fb1e7af',
  'split-message-1': 'f1f698b64edd4ed9',
  'review-insights-3': '2a0970a341404155',
  'read-messages-2': '4d414946879c1328',
}

test.each(Object.entries(tasks))('prompt.md of %s is the text of its version', async (name, { promptVersion }) => {
  const text = await readFile(path.join(import.meta.dirname, name, 'prompt.md'), 'utf8')
  expect(hashOf(text.replaceAll('\r\n', '\n')).slice(0, 16)).toBe(FILES[promptVersion])
})

test('a prompt takes a file in the folder of its task: the model gets it, and answers are stored under its version', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'groundswell-prompt-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(path.join(folder, 'prompt.md'), 'Say what the oldest message is about.\n')
  const stored: { model: string; promptVersion: string; text: string }[] = []
  const task = defineTask<string>({
    folder,
    promptVersion: 'oldest-message-1',
    schema: Named,
    budgetShare: 0.5,
    maxCallsPerRun: 1,
    backlog: { isDue: async () => true, finish: async () => {}, postpone: async () => 'stop' },
    find: async () => ({ cases: ['The export fails'], more: false, version: 1 }),
    prepare: async ({ askedWith }, message) => ({
      message,
      apply: async ({ text }) => {
        stored.push({ ...askedWith, text })
        return { useful: true }
      },
    }),
  })
  const workspaceId = await world.workspace()
  model.script = (_, response) => respond(response, { name: 'Exports' })
  await world.run(workspaceId, world.settings(model), { task })
  expect(model.heard.splice(0).map(({ instructions }) => instructions)).toEqual([
    'Say what the oldest message is about.',
  ])
  expect(stored).toMatchObject([{ promptVersion: 'oldest-message-1', text: JSON.stringify({ name: 'Exports' }) }])
})

test('the instructions sent for each task are, byte for byte, those of the version stored with its answers', async () => {
  const workspaceId = await world.workspace()
  await world.insight(workspaceId, 1, EXPORTS)
  model.script = (heard, response) => respond(response, goodReply(heard))
  await world.run(workspaceId, world.settings(model))
  expect(await world.stored(workspaceId, 1)).toMatchObject({ prompt_version: 'describe-insight-1' })
  expect(sent()).toEqual([
    { hash: '954e5a9017c5352b439fb5a7e5736d7196d1d7e21d27d60ce88aa080b34ba0e9', nothingElse: true },
  ])

  const company = await Company.start(world)
  model.script = honest
  await company.judge(model)
  expect(await versionsIn(company, 'model_answer')).toEqual(['judge-candidates-1'])
  expect(new Set(sent().map(({ hash, nothingElse }) => `${hash} ${nothingElse}`))).toEqual(
    new Set(['ebe1d2e26b5b68b72a1604887806cd406efd1810f2d05c776a46aab6d876d63e true']),
  )

  await company.store([{ id: 'letter', text: LETTER }])
  await company.group()
  await world.run(company.workspaceId, world.settings(model), { task: splits })
  expect(await versionsIn(company, 'model_split')).toEqual(['split-message-1'])
  expect(sent()).toEqual([
    { hash: '75edba6edcb2d02c0dacde8f54e3447ca28be4027fa2c080176dcce323ed427e', nothingElse: true },
  ])
})

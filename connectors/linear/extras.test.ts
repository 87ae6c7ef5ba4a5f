import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { documentFor, failureFrom } from '../kit/testing.ts'
import { attachInsight, writeComment } from './extras.ts'
import { NotAllowed } from './refusal.ts'
import { opened, operations } from './testing.ts'

it('reports that comments may not be written, instead of losing them', async () => {
  await using run = await opened()
  const { id } = await run.create()
  run.signIns.keyScopes = ['read', 'issues:create']
  const error = await failureFrom(writeComment(run.context, id, run.document, false))
  expect(error).toBeInstanceOf(NotAllowed)
  expect((error as Error).message).toContain('lacks the scope comments:create')
})

it.each([
  [{ mentions: 1, people: 1 }, '1 mention from 1 person in total'],
  [{ mentions: 2, people: 1 }, '2 mentions from 1 person in total'],
])('writes the counts %j as text', async (counts, words) => {
  await using run = await opened()
  const { id } = await run.create()
  const document = documentFor(run.document.marker, { counts })
  expect(await writeComment(run.context, id, document, false)).toBe(true)
  expect(run.workspace.issues[0]?.comments[0]?.body).toContain(words)
})

it('writes a comment with one request where it knows whether the comment exists', async () => {
  await using run = await opened()
  const { id } = await run.create()
  const before = run.calls.length
  await writeComment(run.context, id, run.document, false)
  await writeComment(run.context, id, run.document, true)
  expect(operations(run.calls.slice(before))).toEqual(['CommentCreate', 'CommentUpdate'])
})

it('passes on a failure that may not occur again', async () => {
  await using run = await opened()
  const { id } = await run.create()
  run.faults.arm('500')
  expect(await failureFrom(writeComment(run.context, id, run.document, true))).toMatchObject({ kind: 'unavailable' })
  expect(run.workspace.issues[0]?.comments).toEqual([])
})

it('attaches nothing to an issue that is not there', async () => {
  await using run = await opened()
  expect(await attachInsight(run.context, randomUUID(), run.document)).toBe(false)
  expect(run.context.log.lines).toHaveLength(1)
})

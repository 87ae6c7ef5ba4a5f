import type { Comment } from '@groundswell/contract/comments.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import type { TestPerson } from '../../platform/http/testing.ts'
import { duringTests } from '../../platform/testing.ts'
import { type People, TeamWorld } from '../../testing.ts'

let people: People

const world = duringTests(() => TeamWorld.start())
beforeEach(async () => {
  people = await world.people()
})

type Answer = { status: number; message: string } & Comment
const answerOf = ({ statusCode, json }: Awaited<ReturnType<typeof world.test.call>>): Answer => ({
  ...(json() as Answer),
  status: statusCode,
})
const write = async (text: string, as: TestPerson = people.ann, mentions: string[] = [], issue = 1) =>
  answerOf(await world.test.call('POST', `/api/insights/${issue}/comments`, { as, payload: { text, mentions } }))
const change = async ({ comment_id }: Comment, text: string, as: TestPerson, mentions: string[] = []) =>
  answerOf(await world.test.call('PATCH', `/api/comments/${comment_id}`, { as, payload: { text, mentions } }))
const remove = async ({ comment_id }: Comment, as: TestPerson) =>
  answerOf(await world.test.call('DELETE', `/api/comments/${comment_id}`, { as })).status
const read = async (as: TestPerson = people.ann, issue = 1, query = '') => {
  const answer = await world.test.call('GET', `/api/insights/${issue}/comments${query}`, { as })
  return {
    status: answer.statusCode,
    ...(answer.json() as { comments: Comment[]; total: number; has_earlier: boolean }),
  }
}
const texts = async (issue = 1) => (await read(people.ann, issue)).comments.map(({ text }) => text)

describe('a comment', () => {
  it('is written and read by everyone in the workspace, and by nobody else', async () => {
    const { ann, max, vera, bo } = people
    await write('First', vera)
    await write('  Second, @Vera  ', max, [vera.accountId, vera.accountId])
    for (const as of [ann, max, vera]) {
      expect(await read(as)).toMatchObject({
        total: 2,
        has_earlier: false,
        comments: [
          { text: 'First', author: { name: vera.name }, is_mine: as === vera, edited_at: null, mentions: [] },
          {
            text: 'Second, @Vera',
            author: { name: max.name },
            mentions: [{ account_id: vera.accountId, name: vera.name }],
          },
        ],
      })
    }
    expect((await read(bo)).status).toBe(404)
    expect((await write('Hello', bo)).status).toBe(404)
    expect((await write('Hello', ann, [bo.accountId])).message).toContain('not in the workspace')
  })

  it('is changed by its author only, and deleted by its author or an owner', async () => {
    const { ann, max, vera, bo } = people
    const [one, other] = [await write('One', vera), await write('Other', max)]
    expect((await change(one, 'Changed', vera)).text).toBe('Changed')
    expect((await read()).comments[0]).toMatchObject({ text: 'Changed', edited_at: expect.any(String) })
    for (const as of [ann, max]) expect((await change(one, 'Not mine', as)).status).toBe(403)
    expect([(await change(one, 'x', bo)).status, await remove(one, bo)]).toEqual([404, 404])
    expect((await read(max)).comments.map((comment) => comment.may_delete)).toEqual([false, true])
    expect([await remove(one, max), await remove(other, vera)]).toEqual([403, 403])
    expect([await remove(one, ann), await remove(other, max), await remove(other, max)]).toEqual([200, 200, 404])
    expect((await read()).total).toBe(0)
  })

  it.each([
    ['empty', '', 'text: must not be empty'],
    ['blank', ' \n ', 'text: must not be empty'],
    ['too long', 'x'.repeat(5_001), 'text: must have at most 5000 characters'],
  ])('is refused with an explanation when it is %s', async (_how, text, words) => {
    const { status, message } = await write(text)
    expect([status, message]).toEqual([400, words])
  })

  it('has at most 5,000 characters of any kind', async () => {
    expect((await write('💥'.repeat(2_500))).status).toBe(200)
    expect((await write('<b>&amp;"\u202e')).text).toBe('<b>&amp;"\u202e')
    expect((await write('Gone', people.ann, [], 7)).status).toBe(404)
  })

  it('is one of at most 1,000 on an insight, read by pages', async () => {
    const { ann } = people
    await world.owner.query(
      `insert into insight_comment (workspace_id, issue_number, account_id, text, written_at)
       select $1, 1, $2, 'comment ' || n, '2026-01-01'::timestamptz + n * interval '1 minute' from generate_series(1, 1000) n`,
      [ann.workspaceId, ann.accountId],
    )
    expect((await write('One more')).status).toBe(409)
    const { comments, total, has_earlier } = await read()
    expect([total, has_earlier, comments.length, comments[0]?.text, comments[49]?.text]).toEqual([
      1_000,
      true,
      50,
      'comment 951',
      'comment 1000',
    ])
    const earlier = await read(ann, 1, `?before=${comments[0]?.comment_id}`)
    expect([earlier.comments[0]?.text, earlier.comments[49]?.text]).toEqual(['comment 901', 'comment 950'])
  })
})

describe('the comments of an insight', () => {
  it('follow it into the one that it is merged into, through merges in a row, and come back when that is undone', async () => {
    await write('On one', people.ann, [], 1)
    await write('On two', people.ann, [], 2)
    const merge = (from: number, into: number | null) =>
      world.owner.query(
        'update insight set merged_into = $3, ended_at = case when $3::int is not null then now() end where workspace_id = $1 and issue_number = $2',
        [people.ann.workspaceId, from, into],
      )
    await merge(1, 2)
    expect((await read(people.ann, 1)).status).toBe(404)
    expect(await texts(2)).toEqual(['On one', 'On two'])
    await merge(2, 3)
    expect(await texts(3)).toEqual(['On one', 'On two'])
    await write('On three', people.ann, [], 3)
    await merge(2, null)
    expect([await texts(2), await texts(3)]).toEqual([['On one', 'On two'], ['On three']])
  })

  it('stay when their author leaves or deletes the account, as those of a former member', async () => {
    const { ann, max, vera } = people
    await write('By Max', max)
    await write('By Vera', vera)
    await write('@Vera', ann, [vera.accountId])
    await world.test.call('DELETE', `/api/team/${max.accountId}`, { as: ann })
    const gone = { as: vera, payload: { password: 'a sentence nobody guesses' } }
    expect((await world.test.call('POST', '/api/account/delete', gone)).statusCode).toBe(200)
    expect((await read()).comments).toMatchObject([
      { text: 'By Max', author: null },
      { text: 'By Vera', author: null },
      { text: '@Vera', author: { name: ann.name }, mentions: [] },
    ])
    const { rows } = await world.owner.query(
      'select account_id as id from insight_comment where workspace_id = $1 order by written_at',
      [ann.workspaceId],
    )
    expect(rows.map(({ id }) => id)).toEqual([max.accountId, null, ann.accountId])
  })

  it('are in nothing that leaves the workspace: not in the list, the detail, the export or a pushed insight', async () => {
    await write('a secret of the team')
    for (const url of ['/api/insights/get-all', '/api/insights/1/detail', '/api/insights/1/evidence']) {
      expect((await world.test.call('GET', url, { as: people.ann })).body).not.toContain('a secret')
    }
    const payload = { format: 'jsonl', issue_numbers: [1] }
    expect((await world.test.call('POST', '/api/insights/export', { as: people.ann, payload })).body).not.toContain(
      'a secret',
    )
  })
})

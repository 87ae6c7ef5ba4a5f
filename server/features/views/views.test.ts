import { ATTRIBUTES_PART } from '@groundswell/contract/insights/attributes.ts'
import { INSIGHT_FILTER_PARTS } from '@groundswell/contract/insights/insight-filter.ts'
import { CUSTOMER_PART, type SavedView, VIEW_PARTS } from '@groundswell/contract/views.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { openConnection } from '../../platform/db/testing.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { duringTests } from '../../platform/testing.ts'
import { appOfFile } from '../../testing.ts'
import { handlers } from '../../wiring.ts'

const PASSWORD = 'a sentence nobody guesses'

let people = 0
let ann: TestPerson
/** The token of another member of Ann's workspace. */
let max: string
let bo: TestPerson

const test = appOfFile((services) => handlers(services), {
  authRateLimits: null,
})
const owner = duringTests(() => openConnection(test.database.ownerUrl))
beforeEach(async () => {
  people += 1
  ann = await test.person(`ann${people}`)
  bo = await test.person(`bo${people}`)
  const joining = await test.person(`max${people}`, { password: PASSWORD })
  await owner.query('delete from member where account_id = $1', [joining.accountId])
  await owner.query(`insert into member (workspace_id, account_id, role) values ($1, $2, 'member')`, [
    ann.workspaceId,
    joining.accountId,
  ])
  const answer = await test.call('POST', '/api/auth/login', { payload: { email: joining.email, password: PASSWORD } })
  max = answer.json().token
})

const save = (more = {}, as: TestPerson | string = ann) =>
  test.call('POST', '/api/views', { as, payload: { name: 'Exports', query: 'q=export', shared: false, ...more } })
const change = (id: string, payload: object, as: TestPerson | string = ann) =>
  test.call('PATCH', `/api/views/${id}`, { as, payload })
const remove = (id: string, as: TestPerson | string = ann) => test.call('DELETE', `/api/views/${id}`, { as })
const views = async (as: TestPerson | string = ann): Promise<SavedView[]> =>
  (await test.call('GET', '/api/views', { as })).json().views

describe('a saved view', () => {
  it('keeps the filter, the order and the grouping, and nothing else of the address', async () => {
    const query =
      'issue=4&sort=-mentions&change=new&tag=Area%3A+Export&q=a%26b&group=theme&status=created&other=1&status=pushed'
    const saved = (await save({ query })).json()
    expect(saved).toMatchObject({
      name: 'Exports',
      query: 'q=a%26b&status=created&status=pushed&tag=Area%3A+Export&sort=-mentions&group=theme',
      shared: false,
      mine: true,
    })
    expect(await views()).toEqual([saved])
  })

  it('is its maker’s, or everybody’s of the workspace, and only its maker changes it', async () => {
    const { view_id } = (await save()).json()
    expect([await views(max), await views(bo)]).toEqual([[], []])
    expect((await change(view_id, { shared: true })).statusCode).toBe(200)
    expect(await views(max)).toMatchObject([{ view_id, shared: true, mine: false, made_by: `ann${people}` }])
    expect(await views(bo)).toEqual([])
    for (const as of [max, bo]) {
      expect([(await change(view_id, { name: 'x' }, as)).statusCode, (await remove(view_id, as)).statusCode]).toEqual([
        404, 404,
      ])
    }
    expect((await change(view_id, { name: 'All exports', query: 'q=exports' })).json()).toMatchObject({
      name: 'All exports',
      query: 'q=exports',
      shared: true,
    })
    expect((await remove(view_id)).json()).toEqual({ view_id })
    expect([await views(), await views(max), (await remove(view_id)).statusCode]).toEqual([[], [], 404])
  })

  it('has its own name among those of its maker, whatever the case', async () => {
    const { view_id } = (await save()).json()
    expect((await save({ name: ' EXPORTS ' })).statusCode).toBe(409)
    expect((await save({}, max)).statusCode).toBe(200)
    const other = (await save({ name: 'Search' })).json()
    expect((await change(other.view_id, { name: 'exports' })).statusCode).toBe(409)
    expect((await change(view_id, { name: 'exports' })).statusCode).toBe(200)
  })

  it('is one of at most 50 of a person', async () => {
    await owner.query(
      `insert into saved_view (workspace_id, account_id, name, query, shared, updated_at)
       select $1, $2, 'view ' || n, '', true, now() from generate_series(1, 50) n`,
      [ann.workspaceId, ann.accountId],
    )
    expect([(await save()).statusCode, (await save({}, max)).statusCode]).toEqual([409, 200])
  })

  it('is one of at most 50 also when 80 are saved at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 80 }, (_, at) => save({ name: `view ${at}` })))
    const statuses = answers.map(({ statusCode }) => statusCode)
    expect([200, 409].map((status) => statuses.filter((one) => one === status).length)).toEqual([50, 30])
  })

  it('goes with the membership of its maker', async () => {
    await save({ shared: true })
    await owner.query('delete from member where account_id = $1', [ann.accountId])
    expect(await views(max)).toEqual([])
  })

  it.each([[{ name: '  ' }], [{ name: 'x'.repeat(81) }], [{ query: 'x'.repeat(2_001) }], [{ shared: undefined }]])(
    'is not saved with %j',
    async (more) => {
      expect((await save(more)).statusCode).toBe(400)
    },
  )
})

it('keeps every part of the filter', () => {
  expect(VIEW_PARTS).toEqual([...Object.values(INSIGHT_FILTER_PARTS), CUSTOMER_PART, ATTRIBUTES_PART, 'sort', 'group'])
})

import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  EvalSession,
  getEval,
  getEvalPages,
  listEvalProblems,
  listEvalScores,
  listEvals,
  MAX_SCORES,
  restoreEvalScore,
  setEvalScore,
} from '@groundswell/contract/evaluation/evals.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setupToken } from '../../auth/index.ts'
import { seedEvals } from '../../demo/evaluations.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { malformedFiles } from '../../platform/files/testing.ts'
import { fuzzRoute } from '../../platform/http/fuzz.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { proves } from '../../platform/proves.ts'
import { appOfFile, makeAdmin } from '../../testing.ts'
import { accountRoutes } from '../accounts/index.ts'
import { evalRoutes } from './index.ts'

let admin: TestPerson
let member: TestPerson
let outside: string
let evals: string

const session = {
  evaluators: [{ unique_name: 'Faithful' }, {}],
  response_evaluations: [
    {
      source_metadata: { source_id: 'tickets', datetime_from: '2026-09-14T00:00:00Z', comments: 'short week' },
      notes: 'By hand.',
      issues: ['A quote is not word for word'],
      responses: [{ name: 'Charged for removed people' }],
      rubrics_responses_evaluations: [
        {
          avg_score: 0.756,
          rubric_response_evaluations: [{ avg_score: 0.75, scores: [1, 0.5], graded_rubrics: [{ exact: 'no' }] }],
        },
        { avg_score: null, rubric_response_evaluations: [] },
      ],
      formatted_user_input: 'We removed 6 people',
      more: { kept: true },
    },
  ],
}

const test = appOfFile((services) => [...accountRoutes(services), ...evalRoutes(services)])

beforeAll(async () => {
  admin = await test.person('admin', { setup_token: setupToken(test.services) })
  member = await test.person('member')
  evals = path.join(test.services.config.dataDir, 'evals')
  outside = await mkdtemp(path.join(tmpdir(), 'groundswell-outside-'))
  await writeFile(path.join(outside, 'secret.json'), JSON.stringify(session))
})
afterAll(() => rm(outside, { recursive: true, force: true }))

const read = (filename: string, as: TestPerson = admin) =>
  test.call('GET', `/eval/get_eval?filename=${encodeURIComponent(filename)}`, { as })
const readPages = (query: string, as: TestPerson = admin) => test.call('GET', `/eval/pages?${query}`, { as })
const list = async () => (await test.call('GET', '/eval/list_evals', { as: admin })).json()
const problems = async () => (await test.call('GET', '/eval/problems', { as: admin })).json().problems

it('has nothing before there is a folder', async () => {
  expect(await list()).toEqual([])
  expect(await problems()).toEqual([])
  expect((await read('a.json')).statusCode).toBe(404)
})

describe('with files', () => {
  beforeAll(async () => {
    await mkdir(path.join(evals, 'folder.json'), { recursive: true })
    const put = (name: string, text: string | Uint8Array) => writeFile(path.join(evals, name), text)
    await put('good.json', JSON.stringify(session))
    await put('straße 1.json', JSON.stringify(session))
    await put('%2e%2e.json', JSON.stringify(session))
    await put('empty.json', '')
    await put('cut.json', JSON.stringify(session).slice(0, 100))
    await put('latin.json', new Uint8Array([0x22, 0xe4, 0x22]))
    await put('other.json', '{"evaluators":[]}')
    await put('wrong.json', JSON.stringify({ ...session, evaluators: [{ unique_name: 7 }] }))
    await put('null.json', 'null')
    await put('notes.txt', 'not ours')
    await put('.hidden.json', JSON.stringify(session))
    await put('huge.json', '')
    await truncate(path.join(evals, 'huge.json'), 1024 ** 3 + 1)
    await symlink('good.json', path.join(evals, 'alias.json'))
    await symlink(path.join(outside, 'secret.json'), path.join(evals, 'leak.json'))
    await symlink(outside, path.join(evals, 'way-out'))
    await symlink('loop.json', path.join(evals, 'loop.json'))
    await symlink('gone', path.join(evals, 'dangling.json'))
  })

  it('lists filenames in order, broken ones too, and nothing that is elsewhere', async () => {
    expect(await list()).toEqual([
      '%2e%2e.json',
      'alias.json',
      'cut.json',
      'empty.json',
      'good.json',
      'huge.json',
      'latin.json',
      'null.json',
      'other.json',
      'straße 1.json',
      'wrong.json',
    ])
  })

  it('returns a session with every field of its file, as the file has it', async () => {
    const spaced = JSON.stringify(session, null, 3)
    await writeFile(path.join(evals, 'good.json'), spaced)
    const answer = await read('good.json')
    expect([answer.headers['content-type'], answer.body]).toEqual(['application/json; charset=utf-8', spaced])
    for (const name of ['good.json', 'straße 1.json', '%2e%2e.json', 'alias.json']) {
      const answer = await read(name)
      expect([name, answer.statusCode, answer.json()]).toEqual([name, 200, session])
    }
  })

  it('reports why each broken file is broken, and the others work', async () => {
    const reasons = {
      'cut.json': 'It is not JSON',
      'empty.json': 'It is empty',
      'huge.json': 'It is larger than 1 GiB',
      'latin.json': 'It is not text in UTF-8',
      'null.json': 'Its content is missing or is not an object',
      'other.json': '"response_evaluations" is missing or is not a list',
      'wrong.json': '"evaluators.0.unique_name" is missing or is not text',
    }
    const found = await problems()
    expect(Object.fromEntries(found.map((one: { filename: string; reason: string }) => Object.values(one)))).toEqual(
      reasons,
    )
    for (const [name, listed] of Object.entries(reasons)) {
      const refused = async (answer: Awaited<ReturnType<typeof read>>, reason: string) => {
        expect([name, answer.statusCode, answer.json()]).toEqual([
          name,
          400,
          {
            code: 'invalid_input',
            message: `This file cannot be used. ${reason}.`,
            fields: { filename: reason },
          },
        ])
      }
      await refused(await read(name), name === 'huge.json' ? 'It is larger than 64 MiB' : listed)
      await refused(await readPages(`filename=${name}`), listed)
    }
  })

  it('notices that a file was repaired, and that another broke', async () => {
    await writeFile(path.join(evals, 'repaired.json'), '{')
    expect(await problems()).toContainEqual({ filename: 'repaired.json', reason: 'It is not JSON' })
    await writeFile(path.join(evals, 'repaired.json'), JSON.stringify(session))
    expect(await problems()).not.toContainEqual(expect.objectContaining({ filename: 'repaired.json' }))
    await rm(path.join(evals, 'repaired.json'))
    expect((await read('repaired.json')).statusCode).toBe(404)
  })

  it('gives nothing away by a name that leads elsewhere', async () => {
    proves('5.3.2')
    const inside = path.join(evals, 'good.json')
    const names = [
      '.',
      '..',
      '../good.json',
      '../evals/good.json',
      './good.json',
      'good.json/',
      'good.json/.',
      '//good.json',
      '/etc/passwd',
      inside,
      `file://${inside}`,
      'file:///etc/passwd',
      path.join(outside, 'secret.json'),
      '../../../../../../../../etc/passwd',
      '....//....//etc/passwd',
      '..\\good.json',
      '..\\..\\windows\\win.ini',
      'C:\\windows\\win.ini',
      'C:good.json',
      '\\\\host\\share\\a.json',
      'good.json::$DATA',
      '%2e%2e%2fgood.json',
      '%252e%252e%252fgood.json',
      '..%2fgood.json',
      '..%c0%afgood.json',
      '．．／good.json',
      '..;/good.json',
      'way-out/secret.json',
      'way-out',
      'leak.json',
      'loop.json',
      'dangling.json',
      'folder.json',
      'folder.json/../good.json',
      '.hidden.json',
      'notes.txt',
      'GOOD.JSON',
      'good.json ',
      ' good.json',
      'good.json\n',
      'good',
      '~/good.json',
      '$HOME/good.json',
      '/proc/self/environ',
      '/dev/stdin',
      'good.json?x',
      'constructor',
      '__proto__',
      `${'a'.repeat(300)}.json`,
      `${'../'.repeat(2_000)}etc/passwd`,
      `${'x'.repeat(10_000)}.json`,
    ]
    for (const name of names) {
      const answer = await read(name)
      expect([name, answer.statusCode, answer.json().code]).toEqual([name, 404, 'not_found'])
      expect(answer.body).not.toContain('Charged for removed people')
      const pages = await readPages(`filename=${encodeURIComponent(name)}`)
      expect([name, pages.statusCode, pages.json().code]).toEqual([name, 404, 'not_found'])
    }
    for (const query of ['filename=good.json%00', 'filename=%00', 'filename=', '', 'filename=a&filename=good.json']) {
      const answer = await test.call('GET', `/eval/get_eval?${query}`, { as: admin })
      expect([query, answer.json().code]).toEqual([query, 'invalid_input'])
    }
  })

  it('is for administrators: 401 without a token, 403 for others', async () => {
    for (const url of [
      '/eval/list_evals',
      '/eval/problems',
      '/eval/get_eval?filename=good.json',
      '/eval/pages?filename=good.json',
    ]) {
      expect((await test.call('GET', url)).statusCode).toBe(401)
      expect((await test.call('GET', url, { as: 'nobody' })).statusCode).toBe(401)
      const refused = await test.call('GET', url, { as: member })
      expect([refused.statusCode, refused.json().code]).toEqual([403, 'forbidden'])
    }
  })

  it.each(
    [listEvals, listEvalProblems, getEval, getEvalPages, listEvalScores, setEvalScore, restoreEvalScore].map(
      (route) => [route.name, route] as const,
    ),
  )('hostile input gets no fault out of %s', async (_name, route) => {
    await fuzzRoute(test.app, route, { token: admin.token, known: { filename: 'good.json' } })
    expect((await read('good.json')).statusCode).toBe(200)
  })

  describe('scores by people', () => {
    const place = { filename: 'good.json', page: 0, evaluator: 1 }
    const forget = () =>
      inWorkspace(test.services.db, admin.workspaceId, (tx) => sql`delete from eval_score`.execute(tx))
    const given = { ...place, score: 0.4, reason: ' The quote is from another customer ', automatic: 0.756 }
    const scores = async (as = admin, filename = 'good.json') =>
      (await test.call('GET', `/eval/scores?filename=${encodeURIComponent(filename)}`, { as })).json().scores
    const give = (payload: object, as = admin) => test.call('PUT', '/eval/scores', { as, payload })
    const restore = async (payload: object, as = admin) =>
      (await test.call('DELETE', '/eval/scores', { as, payload })).json()

    it('stores one score with its reason by place and account, replaces it, and restores the automatic one', async () => {
      const bo = await test.person('bo')
      await makeAdmin(test, bo)
      expect(await scores(bo)).toEqual([])
      await forget()
      expect((await give(given)).json()).toMatchObject({ score: 0.4, reason: 'The quote is from another customer' })
      const [stored] = await scores()
      expect(stored).toMatchObject({ page: 0, evaluator: 1, score: 0.4, automatic: 0.756 })
      expect(await scores(bo)).toEqual([])
      expect(await scores(admin, 'straße 1.json')).toEqual([])
      await give({ ...given, score: -1, automatic: null })
      expect(await scores()).toMatchObject([{ score: -1, automatic: null }])
      expect(await restore(place, bo)).toEqual({ restored: false })
      expect(await restore(place)).toEqual({ restored: true })
      expect(await restore(place)).toEqual({ restored: false })
      expect(await scores()).toEqual([])
      expect((await read('good.json')).json()).toEqual(session)
    })

    it('goes with the account', async () => {
      const cy = await test.person('cy', { password: 'the password of cy' })
      await makeAdmin(test, cy)
      expect((await give(given, cy)).statusCode).toBe(200)
      const left = () =>
        inWorkspace(test.services.db, cy.workspaceId, async (tx) => {
          const { rows } = await sql<{ n: number }>`select count(*)::int as n from eval_score`.execute(tx)
          return rows[0]?.n
        })
      expect(await left()).toBe(1)
      const gone = await test.call('POST', '/api/account/delete', {
        as: cy,
        payload: { password: 'the password of cy' },
      })
      expect(gone.statusCode).toBe(200)
      expect(await left()).toBe(0)
    })

    it('refuses what is no score, and one in a file that is not there', async () => {
      for (const wrong of [{ reason: ' ' }, { score: 'good' }, { score: 1e9 }, { page: -1 }, { evaluator: 0.5 }])
        expect([wrong, (await give({ ...given, ...wrong })).json().code]).toEqual([wrong, 'invalid_input'])
      expect((await give({ ...given, filename: '../good.json' })).json().code).toBe('not_found')
      expect((await give({ ...given, filename: 'none.json' })).json().code).toBe('not_found')
      expect((await give(given, member)).statusCode).toBe(403)
    })

    it('one person gives at most MAX_SCORES in a file', async () => {
      await forget()
      await inWorkspace(test.services.db, admin.workspaceId, (tx) =>
        sql`insert into eval_score (workspace_id, account_id, filename, page, evaluator, score, reason, scored_at)
          select workspace_id, account_id, 'good.json', page, 0, 1, 'why', now()
          from member, generate_series(1, ${MAX_SCORES}::int) page where workspace_id = ${admin.workspaceId}`.execute(
          tx,
        ),
      )
      expect((await give(given)).json().code).toBe('conflict')
      expect((await give({ ...given, page: 1, evaluator: 0 })).statusCode).toBe(200)
      await forget()
    })
  })
})

it('each of 200 malformed files is listed with a reason and opens with that reason', async () => {
  await rm(evals, { recursive: true, force: true })
  await mkdir(evals, { recursive: true })
  const row = ['response_evaluations', 0] as const
  const judged = [...row, 'rubrics_responses_evaluations', 0] as const
  const answer = [...judged, 'rubric_response_evaluations', 0] as const
  const misfits = [
    [[], [session]],
    [['evaluators'], {}],
    [['evaluators', 0], 'Faithful'],
    [['evaluators', 0, 'unique_name'], 7],
    [['response_evaluations'], undefined],
    [row, null],
    [[...row, 'notes'], ['By hand.']],
    [[...row, 'issues'], 'one'],
    [[...row, 'responses'], 3],
    [[...row, 'formatted_user_input'], {}],
    [[...row, 'source_metadata'], 'tickets'],
    [[...row, 'source_metadata', 'datetime_from'], 20260914],
    [[...row, 'rubrics_responses_evaluations'], null],
    [[...judged, 'avg_score'], '0.5'],
    [[...answer, 'scores'], [true]],
    [[...answer, 'graded_rubrics'], ['exact']],
  ] as const
  const files = malformedFiles(session, misfits, 200, 34)
  const names = files.map((_, index) => `bad-${String(index).padStart(3, '0')}.json`)
  await Promise.all(files.map((file, index) => writeFile(path.join(evals, names[index] ?? ''), file)))
  await writeFile(path.join(evals, 'good.json'), JSON.stringify(session))
  const found: { filename: string; reason: string }[] = await problems()
  expect(found.map(({ filename }) => filename)).toEqual(names)
  expect(await list()).toHaveLength(201)
  expect((await read('good.json')).statusCode).toBe(200)
  // Each call lists the folder: twenty at a time take a tenth of the time.
  for (let at = 0; at < files.length; at += 20) {
    await rm(evals, { recursive: true })
    await mkdir(evals)
    for (const index of files.keys().drop(at).take(20))
      await writeFile(path.join(evals, names[index] ?? ''), files[index] ?? '')
    for (const { filename, reason } of found.slice(at, at + 20)) {
      expect([filename, reason]).toEqual([filename, expect.stringMatching(/^(It|Its content|"[\w.]+") .+/)])
      for (const opened of [await read(filename), await readPages(`filename=${filename}`)])
        expect([filename, opened.statusCode, opened.json().fields]).toEqual([filename, 400, { filename: reason }])
    }
  }
})

it('the demo’s sessions have ten pages by eight evaluators and no fault', async () => {
  await rm(evals, { recursive: true })
  await seedEvals(test.services.config.dataDir)
  expect(await problems()).toEqual([])
  const names: string[] = await list()
  expect(names).toHaveLength(2)
  for (const name of names) {
    const { evaluators, response_evaluations: pages } = EvalSession.parse((await read(name)).json())
    expect(new Set(evaluators.map((one) => one.unique_name)).size).toBe(8)
    expect(pages).toHaveLength(10)
    expect(pages.every((page) => page.rubrics_responses_evaluations.length === 8)).toBe(true)
  }
})

import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EvalSession, getEval, listEvalProblems, listEvals } from '@groundswell/contract/evals.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authenticate, setupToken } from '../../auth/index.ts'
import { seedEvals } from '../../demo/evaluations.ts'
import { fuzzRoute } from '../../platform/http/fuzz.ts'
import { type TestApp, type TestPerson, testApp } from '../../platform/http/testing.ts'
import { proves } from '../../platform/proves.ts'
import { accountRoutes } from '../accounts/index.ts'
import { evalRoutes } from './index.ts'

let test: TestApp
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

beforeAll(async () => {
  test = await testApp((services) => ({
    handlers: [...accountRoutes(services), ...evalRoutes(services)],
    authenticate: authenticate(services),
  }))
  admin = await test.person('admin', { setup_token: setupToken(test.services) })
  member = await test.person('member')
  evals = path.join(test.services.config.dataDir, 'evals')
  outside = await mkdtemp(path.join(tmpdir(), 'groundswell-outside-'))
  await writeFile(path.join(outside, 'secret.json'), JSON.stringify(session))
})
afterAll(async () => {
  await test.cleanup()
  await rm(outside, { recursive: true, force: true })
})

const read = (filename: string, as: TestPerson = admin) =>
  test.call('GET', `/eval/get_eval?filename=${encodeURIComponent(filename)}`, { as })
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
    await truncate(path.join(evals, 'huge.json'), 64 * 1024 ** 2 + 1)
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

  it('returns a session with every field of its file', async () => {
    for (const name of ['good.json', 'straße 1.json', '%2e%2e.json', 'alias.json']) {
      const answer = await read(name)
      expect([name, answer.statusCode, answer.json()]).toEqual([name, 200, session])
    }
  })

  it('reports why each broken file is broken, and the others work', async () => {
    const reasons = {
      'cut.json': 'It is not JSON',
      'empty.json': 'It is empty',
      'huge.json': 'It is larger than 64 MiB',
      'latin.json': 'It is not text in UTF-8',
      'null.json': 'Its content is missing or is not an object',
      'other.json': '"response_evaluations" is missing or is not a list',
      'wrong.json': '"evaluators.0.unique_name" is missing or is not text',
    }
    const found = await problems()
    expect(Object.fromEntries(found.map((one: { filename: string; reason: string }) => Object.values(one)))).toEqual(
      reasons,
    )
    for (const [name, reason] of Object.entries(reasons)) {
      const answer = await read(name)
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toEqual({
        code: 'invalid_input',
        message: `This file cannot be used. ${reason}.`,
        fields: { filename: reason },
      })
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
    }
    for (const query of ['filename=good.json%00', 'filename=%00', 'filename=', '', 'filename=a&filename=good.json']) {
      const answer = await test.call('GET', `/eval/get_eval?${query}`, { as: admin })
      expect([query, answer.json().code]).toEqual([query, 'invalid_input'])
    }
  })

  it('is for administrators: 401 without a token, 403 for others', async () => {
    for (const url of ['/eval/list_evals', '/eval/problems', '/eval/get_eval?filename=good.json']) {
      expect((await test.call('GET', url)).statusCode).toBe(401)
      expect((await test.call('GET', url, { as: 'nobody' })).statusCode).toBe(401)
      const refused = await test.call('GET', url, { as: member })
      expect([refused.statusCode, refused.json().code]).toEqual([403, 'forbidden'])
    }
  })

  it.each([listEvals, listEvalProblems, getEval].map((route) => [route.name, route] as const))(
    'hostile input gets no fault out of %s',
    async (_name, route) => {
      await fuzzRoute(test.app, route, { token: admin.token, known: { filename: 'good.json' } })
      expect((await read('good.json')).statusCode).toBe(200)
    },
  )
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

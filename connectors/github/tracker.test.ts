import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Rejected } from '../kit/errors.ts'
import { documentFor, failureFrom } from '../kit/testing.ts'
import { asked, contextFor, opened, openGitHub, supportOf } from './testing.ts'
import { tracker } from './tracker.ts'

describe('creating an issue', () => {
  it('sends one request, with the marker hidden in the text and what was chosen', async () => {
    await using run = await opened({ settings: { labels: ['feedback', 'bug'], assignee: ['ben'] } })
    const remote = await run.create()
    expect(asked(run)).toEqual(['POST /repos/acme/support/issues'])
    const [issue] = run.support.issues
    expect(issue).toMatchObject({
      title: 'Export stops halfway',
      labels: ['feedback', 'bug'],
      assignees: ['ben'],
      creator: { login: 'ann' },
    })
    expect(issue?.body).toContain('**3 mentions** from **2 people**')
    expect(issue?.body).toMatch(new RegExp(`<!-- insight:${run.document.marker} -->$`))
    expect(remote).toEqual({
      id: String(issue?.id),
      url: `${run.url}/acme/support/issues/1`,
      label: '#1',
      title: run.document.title,
      status: 'open',
      statusName: null,
      data: { repository: 'acme/support', number: 1 },
    })
  })

  it('sends neither labels nor assignees where none were chosen', async () => {
    await using run = await opened({ settings: { labels: [], assignee: [] } })
    await run.create()
    expect(Object.keys(run.calls[0]?.json as object)).toEqual(['title', 'body'])
  })

  it('sends the version of the API, and no credentials but its own', async () => {
    await using run = await opened()
    const headers: Record<string, string>[] = []
    const http = {
      request: (request: Parameters<typeof run.context.http.request>[0]) => {
        headers.push(request.headers ?? {})
        return run.context.http.request(request)
      },
    }
    await tracker.create({ ...run.context, http }, { document: run.document, reopen: false })
    expect(headers).toEqual([
      expect.objectContaining({
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
        authorization: `Bearer ${run.signIns.token}`,
      }),
    ])
  })

  it.each([
    ['is archived', { archived: true }, 'The repository is archived on GitHub: choose another one'],
    [
      'takes no issues',
      { hasIssues: false },
      'Issues are switched off in the repository: switch them on in its settings',
    ],
    ['is out of reach', { hidden: true }, /^The repository is no longer on GitHub, or the sign-in may not use it/],
  ])('says that the repository %s', async (_, state, message) => {
    await using run = await opened()
    Object.assign(run.support, state)
    const error = await failureFrom(run.create())
    expect(error).toMatchObject({ kind: 'rejected', message: expect.stringMatching(message) })
    expect(run.support.issues).toEqual([])
  })

  it('names the field that GitHub refuses, not its value', async () => {
    await using run = await opened({ settings: { assignee: ['someone-who-left'] } })
    const error = await failureFrom(run.create())
    expect(error).toMatchObject({
      kind: 'rejected',
      message: 'GitHub refused these fields of issues.create: assignees. Open the choices and choose again',
    })
  })

  it('names the missing permission', async () => {
    await using run = await opened()
    run.signIns.tokenIssues = 'read'
    const error = await failureFrom(run.create())
    expect(error).toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('Give it the permission Issues: read and write'),
    })
  })

  it.each([[undefined], [[]], [['acme']], [['acme/../user']], [['../user']], [['acme/support/issues']]])(
    'sends nothing where the repository is %j',
    async (repository) => {
      await using run = await opened({ settings: { repository } })
      expect(await failureFrom(run.create())).toBeInstanceOf(Rejected)
      expect(run.calls).toEqual([])
    },
  )
})

describe('verifying', () => {
  it('says what may be written where, and writes nothing', async () => {
    await using run = await opened()
    expect(await tracker.verify(run.context)).toBe('ann may write issues in acme/support')
    expect(run.support.issues).toEqual([])
  })

  it.each([
    ['read', /permission Issues: read and write/],
    [null, /permission Issues: read and write/],
  ] as const)('fails with the permission %s', async (permission, message) => {
    await using run = await opened()
    run.signIns.tokenIssues = permission
    expect(await failureFrom(tracker.verify(run.context))).toMatchObject({
      kind: 'rejected',
      message: expect.stringMatching(message),
    })
  })

  it.each([
    [
      'read',
      { labels: ['bug'] },
      ', but without labels and assignee: GitHub requires the role Triage or Write for them',
    ],
    [
      'read',
      { labels: [], assignee: ['ben'] },
      ', but without labels and assignee: GitHub requires the role Triage or Write for them',
    ],
    ['read', { labels: [] }, ''],
    ['triage', { labels: ['bug'] }, ''],
    ['write', { labels: ['bug'] }, ''],
  ] as const)('says with the role %s and %j what new issues would lack', async (role, settings, lacking) => {
    await using run = await opened({ settings })
    run.support.role = role
    expect(await tracker.verify(run.context)).toBe(`ann may write issues in acme/support${lacking}`)
  })

  it('fails with a classic token without its scope, for which GitHub hides the call', async () => {
    await using run = await opened()
    Object.assign(run.signIns, { tokenIssues: 'read', isClassic: true })
    expect(await failureFrom(tracker.verify(run.context))).toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('the sign-in may not use it'),
    })
  })

  it.each([
    [{ archived: true }, 'acme/support is archived on GitHub: choose another repository'],
    [{ hasIssues: false }, 'Issues are switched off in acme/support: switch them on in its settings'],
  ])('fails with %j, without trying to write', async (state, message) => {
    await using run = await opened()
    Object.assign(run.support, state)
    expect(await failureFrom(tracker.verify(run.context))).toMatchObject({ kind: 'rejected', message })
    expect(asked(run)).toEqual(['GET /repos/acme/support'])
  })

  it('works for a repository that was renamed', async () => {
    await using run = await opened()
    run.hub.rename(run.support, 'helpdesk')
    expect(await tracker.verify(run.context)).toBe('ann may write issues in acme/helpdesk')
    expect(run.support.issues).toEqual([])
  })
})

it('works for an installation as for a token, in the name of the app', async () => {
  await using github = await openGitHub()
  const installation = github.signIns.install('acme')
  const { token } = github.signIns.mint(installation)
  const login = `${github.signIns.slug}[bot]`
  const context = contextFor(github, { settings: { login }, secrets: { access_token: token } })
  const document = documentFor(randomUUID())
  const remote = await tracker.create(context, { document, reopen: false })
  expect(supportOf(github).issues[0]?.creator).toMatchObject({ login, type: 'Bot' })
  expect(await tracker.find(context, document.marker)).toMatchObject({ id: remote.id })
  // The role of an installation is not reported: its permissions decide.
  expect(await tracker.verify(context)).toBe(`${login} may write issues in acme/support`)
})

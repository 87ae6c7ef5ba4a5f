import { describe, expect, it } from 'vitest'
import { failureFrom } from '../kit/testing.ts'
import { opened, requestsOf } from './testing.ts'
import { tracker } from './tracker.ts'

describe('verifying', () => {
  it('reads permissions, fields and the project, and writes nothing', async () => {
    await using run = await opened()
    expect(await tracker.verify(run.context)).toBe('The sign-in may create and edit issues in Growth')
    expect(requestsOf(run)).toEqual([
      'GET /mypermissions',
      'GET /issue/createmeta/{projectIdOrKey}/issuetypes/{issueTypeId}',
      'GET /project/search',
    ])
    expect(run.calls[0]?.query).toMatchObject({ projectId: '10000' })
    expect(run.site.issues).toEqual([])
  })

  it.each([
    [['CREATE_ISSUES'], 'Create issues'],
    [['EDIT_ISSUES', 'BROWSE_PROJECTS'], 'Browse projects, Edit issues'],
  ])('names the permissions %j where they are missing', async (denied, names) => {
    await using run = await opened()
    for (const key of denied) run.site.denied.add(key)
    expect(await failureFrom(tracker.verify(run.context))).toMatchObject({
      kind: 'rejected',
      message: `The sign-in lacks permissions in the project in Jira: ${names}. Grant them or choose another one`,
    })
  })

  it('says what it can do without', async () => {
    await using run = await opened()
    run.site.denied.add('ADD_COMMENTS')
    run.site.denied.add('TRANSITION_ISSUES')
    expect(await tracker.verify(run.context)).toBe(
      'The sign-in may create and edit issues in Growth. It lacks: Add comments, Transition issues',
    )
  })

  it('names fields that became required', async () => {
    await using run = await opened()
    const field = run.site.projects[0]?.types[0]?.fields.find(({ fieldId }) => fieldId === 'assignee')
    if (field) field.required = true
    expect(await failureFrom(tracker.verify(run.context))).toMatchObject({
      kind: 'rejected',
      message: 'Jira requires Assignee. Open the choices and fill them',
    })
    run.context.settings.assignee = ['5b10ac8d82e05b22cc7d0003']
    expect(await tracker.verify(run.context)).toContain('Growth')
  })

  it.each([
    ['10005', /^Jira requires Place, which cannot be filled here/],
    ['10006', /^The screen of this issue type has no field Labels/],
  ])('says why the type %s cannot be used', async (type, message) => {
    await using run = await opened({ issue_type: [type] })
    expect(await failureFrom(tracker.verify(run.context))).toMatchObject({
      kind: 'rejected',
      message: expect.stringMatching(message),
    })
  })

  it.each([
    [{ project: [] }, 'No project is chosen for Jira: choose one'],
    [{ issue_type: [] }, 'No issue type is chosen for Jira: choose one'],
    [{ issue_type: ['77777'] }, 'Jira no longer has the project or the issue type. Choose again'],
  ])('with the settings %j says what to choose', async (settings, message) => {
    await using run = await opened(settings)
    expect(await failureFrom(tracker.verify(run.context))).toMatchObject({ kind: 'rejected', message })
  })

  it('reports a project that is gone', async () => {
    await using run = await opened()
    for (const project of run.site.projects) project.live = false
    expect(await failureFrom(tracker.verify(run.context))).toMatchObject({
      kind: 'rejected',
      message: 'Jira no longer has the project or the issue type. Choose again',
    })
  })
})

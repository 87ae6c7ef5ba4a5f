import { describe, expect, it, test } from 'vitest'
import { providerMessageIn, withProviderMessage } from './provider-message.ts'

const messageOf = (body: unknown) => providerMessageIn(JSON.stringify(body))

describe('what a provider says', () => {
  it.each([
    [
      'Jira: the example of its description',
      { errorMessages: ["Field 'priority' is required"], errors: {} },
      "Field 'priority' is required",
    ],
    [
      'Jira: fields',
      {
        errorMessages: [],
        errors: { customfield_10001: 'Severity is required.', summary: 'You must specify a summary.' },
      },
      'Severity is required. You must specify a summary.',
    ],
    [
      'Jira: a gateway',
      { code: 401, message: 'Unauthorized; scope does not match' },
      'Unauthorized; scope does not match',
    ],
    [
      'GitHub: a message',
      {
        message: 'Issues has been disabled in this repository.',
        documentation_url: 'https://docs.github.com/v3',
        status: '410',
      },
      'Issues has been disabled in this repository.',
    ],
    [
      'GitHub: a validation error',
      {
        message: 'Validation Failed',
        errors: [
          { resource: 'Issue', field: 'title', code: 'missing_field', value: null },
          {
            resource: 'Issue',
            code: 'custom',
            field: 'body',
            message: 'body is too long (maximum is 65536 characters)',
          },
        ],
        documentation_url: 'https://docs.github.com/rest',
      },
      'Validation Failed; title: missing_field; body is too long (maximum is 65536 characters)',
    ],
    [
      'GitHub: simple errors',
      { message: 'Invalid request.', errors: ['No subschema matched.'] },
      'Invalid request. No subschema matched.',
    ],
    [
      'Azure DevOps',
      {
        $id: '1',
        innerException: null,
        message: 'TF401320: Rule Error for field Severity. Error code: Required, InvalidEmpty.',
        typeName: 'Microsoft.TeamFoundation.WorkItemTracking.Server.RuleValidationException',
        typeKey: 'RuleValidationException',
        errorCode: 0,
        eventId: 3200,
      },
      'TF401320: Rule Error for field Severity. Error code: Required, InvalidEmpty.',
    ],
    ['ClickUp', { err: 'Team not authorized', ECODE: 'OAUTH_027' }, 'Team not authorized'],
    [
      'Linear: the sentence for people, not the one for programs',
      {
        errors: [
          {
            message: 'labelIds not exclusive child labels',
            extensions: { code: 'INPUT_ERROR', userPresentableMessage: 'Only one label of the group Area is allowed.' },
          },
        ],
        data: null,
      },
      'Only one label of the group Area is allowed.',
    ],
    ['Linear: without one', { errors: [{ message: 'Entity not found: Team' }] }, 'Entity not found: Team'],
    ['OAuth', { error: 'invalid_grant', error_description: 'The token was revoked' }, 'The token was revoked'],
    [
      'a receiver with problem details',
      { type: 'about:blank', title: 'Bad Request', status: 400, detail: 'No queue' },
      'No queue',
    ],
    ['a receiver with a nested error', { error: { code: 7, message: 'No such queue' } }, 'No such queue'],
    [
      'a receiver with lists by field',
      { errors: { name: ['is too long', 'is taken'] } },
      'name: is too long; name: is taken',
    ],
    ['a receiver with a text in JSON', 'no', 'no'],
  ])('%s', (_, body, sentence) => {
    expect(messageOf(body)).toBe(sentence)
  })

  it.each([
    ['plain text', ' Nope,\r\n  not today\u0000 ', 'Nope, not today'],
    [
      'the title of a page',
      '<!doctype html><html><head><title>502 Bad Gateway</title></head><body>…',
      '502 Bad Gateway',
    ],
    ['JSON that the ledger has cut', `{"message":"It is \\"full\\"","padding":"${'x'.repeat(50)}`, 'It is "full"'],
  ])('%s', (_, body, sentence) => {
    expect(providerMessageIn(body)).toBe(sentence)
  })

  it.each([
    '',
    '  ',
    '{}',
    '[]',
    'null',
    '7',
    '{"ok":false}',
    '{"errors":[]}',
    '{"errors":{}}',
    '{"a":{"b":',
    '<p>x</p>',
  ])('is nothing in %j', (body) => {
    expect(providerMessageIn(body)).toBeNull()
  })

  it('is bounded, however deep and long the response is', () => {
    expect(messageOf({ message: 'x'.repeat(5000) })).toHaveLength(301)
    let deep: unknown = 'here'
    for (let depth = 0; depth < 50; depth += 1) deep = { error: deep }
    expect(messageOf(deep)).toBeNull()
  })
})

test('a message contains what was said once', () => {
  expect(withProviderMessage('Jira refused the issue', '{"errorMessages":["Try later."]}')).toBe(
    'Jira refused the issue. It said: Try later.',
  )
  expect(withProviderMessage('It failed.', 'No')).toBe('It failed. It said: No')
  expect(withProviderMessage('It failed', null)).toBe('It failed')
  expect(withProviderMessage('It failed: Try later', '"Try later."')).toBe('It failed: Try later')
})

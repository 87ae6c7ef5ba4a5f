import { expect, test } from 'vitest'
import { FormValues } from './form-values.ts'

const problemOf = (values: unknown) => FormValues.safeParse(values).error?.issues.map(({ message }) => message)

test('a form has texts, numbers and choices', () => {
  const values = {
    url: 'https://hook.example',
    retries: 3,
    push_automatically: true,
    token: '',
    region: null,
    channels: ['a', 'b'],
  }
  expect(FormValues.parse(values)).toEqual(values)
})

test('of many fields, or with lists and objects in them, it is refused before a connector reads it', () => {
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`field_${at}`, 'x']))
  expect(problemOf(many)).toEqual(['At most 200 fields'])
  for (const token of [{ a: 1 }, [{ a: 1 }], Array.from({ length: 1_001 }, () => 'a')])
    expect(problemOf({ token })).toEqual(['A field is a text, a number or a list of choices'])
})

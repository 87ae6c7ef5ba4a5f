import { expect, it } from 'vitest'
import { bodyText } from './preview-text.ts'

it.each([
  ['{"a":[1]}', '{\n  "a": [\n    1\n  ]\n}'],
  ['a=1&b=2', 'a=1&b=2'],
  ['', ''],
])('shows %j as %j', (body, text) => {
  expect(bodyText(body)).toBe(text)
})

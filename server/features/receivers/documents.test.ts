import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { EVENT_TYPES } from '@groundswell/contract/receivers/event-types.ts'
import { OutgoingEvent, TEST_EVENT } from '@groundswell/contract/receivers/outgoing-event.ts'
import { beforeAll, expect, test } from 'vitest'

let document: string

beforeAll(async () => {
  document = await readFile(path.resolve(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8')
})

test('the documentation lists every event', () => {
  const listed = [...document.matchAll(/^\| `((?:insight|receiver)\.\w+)`/gm)].map(([, type]) => type)
  expect(listed).toEqual([...EVENT_TYPES, TEST_EVENT])
})

test('its examples are bodies of the schema, with no other fields', () => {
  const examples = [...document.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => JSON.parse(text) as unknown)
  expect(examples).toHaveLength(4)
  for (const example of examples) expect(OutgoingEvent.parse(example)).toEqual(example)
})

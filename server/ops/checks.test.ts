import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checks } from './checks.ts'

test('every script in checks/ is listed, and so runs with the others', () => {
  const scripts = readdirSync(new URL('./checks/', import.meta.url)).map((file) => file.replace(/\.ts$/, ''))
  expect(checks.map(({ name }) => name).toSorted()).toEqual(scripts.toSorted())
})

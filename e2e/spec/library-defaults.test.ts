import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'

const library = path.resolve(import.meta.dirname, '../../node_modules/@supabase/auth-js/dist/module')
const read = (file: string) => readFile(path.join(library, file), 'utf8')

test('the hosted client renews 90 s before the end and tries again every 30 s', async () => {
  const constants = await read('lib/constants.js')
  expect(constants).toContain('AUTO_REFRESH_TICK_DURATION_MS = 30 * 1000;')
  expect(constants).toContain('AUTO_REFRESH_TICK_THRESHOLD = 3;')
  expect(constants).toContain('EXPIRY_MARGIN_MS = AUTO_REFRESH_TICK_THRESHOLD * AUTO_REFRESH_TICK_DURATION_MS;')
})

test('the hosted client renews by itself and tells when a session is removed', async () => {
  const client = await read('GoTrueClient.js')
  expect(client).toContain('autoRefreshToken: true')
  expect(client).toContain("'SIGNED_OUT'")
})

test('the hosted client has the calls of a second factor', async () => {
  const client = await read('GoTrueClient.js')
  for (const name of ['enroll', 'challenge', 'verify', 'unenroll']) expect(client).toContain(`${name}: this._${name}`)
})

test('the hosted client raises the words of a signature that is wrong', async () => {
  expect(await read('GoTrueClient.js')).toContain("'Invalid JWT signature'")
})

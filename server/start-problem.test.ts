import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot } from './boot.ts'
import { readConfig } from './platform/config/config.ts'
import { type TestDatabase, testDatabase } from './platform/db/testing.ts'
import { explainStart } from './start-problem.ts'

let database: TestDatabase
let folder: string

beforeAll(async () => {
  database = await testDatabase()
  folder = await mkdtemp(path.join(tmpdir(), 'start-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await database.cleanup()
})

/** What a start says that fails with these settings. */
async function said(env: Record<string, string>): Promise<string> {
  try {
    await (await boot(readConfig({ GROUNDSWELL_DATA: folder, LOG_LEVEL: 'fatal', ...env }))).stop()
  } catch (error) {
    return String(error)
  }
  return 'it started'
}

/** The address of the test's database with other parts. */
function addressWith(parts: Partial<Pick<URL, 'username' | 'password' | 'pathname'>>): string {
  return Object.assign(new URL(database.ownerUrl), parts).href
}

/** A port at which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('a wrong address of the database is named with its setting', () => {
  test('nothing listens', async () => {
    const port = await freePort()
    expect(await said({ DATABASE_URL: `postgres://ann:x@127.0.0.1:${port}/one` })).toBe(
      `Error: DATABASE_URL: no database answers at 127.0.0.1:${port}.`,
    )
  })

  test('the host does not exist', async () => {
    expect(await said({ DATABASE_URL: 'postgres://ann:x@no-such-host.invalid/one' })).toBe(
      'Error: DATABASE_URL: there is no host “no-such-host.invalid”.',
    )
  })

  test('the user does not exist', async () => {
    expect(await said({ DATABASE_URL: addressWith({ username: 'nobody_here' }) })).toMatch(
      /^Error: DATABASE_URL: the database refuses the user “nobody_here”: .*nobody_here/,
    )
  })

  test('the database does not exist', async () => {
    expect(await said({ DATABASE_URL: addressWith({ pathname: '/none_here' }) })).toMatch(
      /^Error: DATABASE_URL: there is no database “none_here” at /,
    )
  })

  test('of several, the one that failed', async () => {
    const port = await freePort()
    expect(
      await said({ DATABASE_URL: database.ownerUrl, DATABASE_ADMIN_URL: `postgres://ann:x@127.0.0.1:${port}/one` }),
    ).toBe(`Error: DATABASE_ADMIN_URL: no database answers at 127.0.0.1:${port}.`)
  })
})

test('a data folder that is a file, or below one, is named', async () => {
  const file = path.join(folder, 'a file')
  await writeFile(file, '')
  for (const dataDir of [file, path.join(file, 'data')]) {
    expect(await said({ GROUNDSWELL_DATA: dataDir, DATABASE_URL: database.ownerUrl })).toBe(
      `Error: GROUNDSWELL_DATA: ${dataDir} cannot be used: it is a file, or below one.`,
    )
  }
})

/** The tests may run as root, to whom no folder is closed: the error is made here. */
test('a data folder that may not be written is named, and errors about something else stay as they are', () => {
  const refused = Object.assign(new Error('no'), { code: 'EACCES', path: '/srv/data/secret.key' })
  expect(explainStart(refused, { dataDir: '/srv/data' })).toMatchObject({
    message: 'GROUNDSWELL_DATA: /srv/data cannot be used: this user may not write to it.',
    cause: refused,
  })
  const other = Object.assign(new Error('no'), { code: 'EACCES', path: '/etc/shadow' })
  expect(explainStart(other, { dataDir: '/srv/data' })).toBe(other)
  expect(explainStart('text', { dataDir: '/srv/data' })).toBe('text')
})

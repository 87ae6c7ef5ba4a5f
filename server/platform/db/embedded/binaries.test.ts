import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findBinaries, findPackage, type Package } from './binaries.ts'
import { EmbeddedError, explain, explainSpawn } from './failure.ts'
import type { RunAs } from './run-as.ts'

const isRoot = process.getuid?.() === 0
const run = promisify(execFile)

let root: string
let source: Package
/** The package as it is unpacked when install scripts are forbidden: without its links. */
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'groundswell-binaries-'))
  const found = await findPackage()
  const links = JSON.parse(await readFile(join(found.native, 'pg-symlinks.json'), 'utf8')) as { target: string }[]
  const targets = links.map((link) => join(found.native, '..', link.target))
  source = { native: join(root, 'package', 'native'), version: found.version }
  await cp(found.native, source.native, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !targets.includes(path) && !path.endsWith('.a'),
  })
})
afterEach(() => rm(root, { recursive: true, force: true }))

const self: RunAs = { name: 'self', uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, dropped: false }

test('a package whose install script was forbidden is finished by us, and runs', async () => {
  await expect(run(join(source.native, 'bin', 'postgres'), ['--version'])).rejects.toThrow(/shared librar/)
  const binaries = await findBinaries(self, join(root, 'private'), { source })
  expect(binaries.postgres).toBe(join(source.native, 'bin', 'postgres'))
  expect((await run(binaries.postgres, ['--version'])).stdout).toContain('PostgreSQL) 18')
})

describe.runIf(isRoot)('as root, for another user', () => {
  const nobody: RunAs = { name: 'nobody', uid: 65_534, gid: 65_534, dropped: true }

  test('programs that the user cannot read are copied once, where it can', async () => {
    await mkdir(join(root, 'open'))
    await run('chmod', ['755', root])
    await run('chmod', ['700', join(root, 'package')])
    const options = { source, caches: [join(root, 'package', 'no-use'), join(root, 'open', 'cache')] }
    const [first, second] = await Promise.all([findBinaries(nobody, '', options), findBinaries(nobody, '', options)])
    expect(first.postgres).toContain(join('open', 'cache'))
    expect(second).toEqual(first)
    const made = (await stat(first.postgres)).ino
    const third = await findBinaries(nobody, '', options)
    expect((await stat(third.postgres)).ino).toBe(made)
    expect((await run(third.postgres, ['--version'], { uid: nobody.uid, gid: nobody.gid })).stdout).toContain('18')
  })

  test('a cache folder in which others may write is not trusted', async () => {
    await run('chmod', ['755', root])
    await run('chmod', ['700', join(root, 'package')])
    const cache = join(root, 'cache')
    await mkdir(cache)
    await run('chmod', ['777', cache])
    await expect(findBinaries(nobody, '', { source, caches: [cache] })).rejects.toThrow(/others may write to it/)
  })
})

test('a failure is explained, with the output of the program and the remedy', () => {
  expect(explain('FATAL:  could not write: No space left on device')).toMatch(/^the disk is full.*\nIt said:\nFATAL/s)
  expect(explain('initdb: error: could not look up effective user ID 5: user does not exist')).toMatch(/has no name/)
  expect(explain('something new')).toBe('it said:\nsomething new')
  expect(explain('')).toBe('it ended without a message.')
  const refused = Object.assign(new Error('spawn EPERM'), { code: 'EPERM' })
  expect(explainSpawn(refused, { name: 'nobody', dropped: true })).toMatch(/no CAP_SETUID/)
  const missing = Object.assign(new Error('spawn ENOENT'), { code: 'ENOENT' })
  expect(explainSpawn(missing, { name: 'me', dropped: false })).toMatch(/glibc/)
  expect(new EmbeddedError('because.').message).toMatch(/cannot start: because\.\n.*DATABASE_URL/)
})

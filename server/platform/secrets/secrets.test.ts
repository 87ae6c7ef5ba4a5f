import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../proves.ts'
import { KeyFileError, keepKey, loadKey } from './key.ts'
import { keyFrom, open, SealError, seal } from './seal.ts'

const key = keyFrom(Buffer.alloc(32, 7))
const other = keyFrom(Buffer.alloc(32, 8))

function reasonOf(work: () => string): string {
  try {
    return `opened: ${work()}`
  } catch (error) {
    return error instanceof SealError ? error.reason : `another error: ${String(error)}`
  }
}

describe('seal', () => {
  test('opens to the same text with the same key and belonging, and is never the same twice', () => {
    for (const plain of ['', 'xoxb-1', 'ŏ🌊'.repeat(1000)]) {
      const sealed = seal(key, plain, 'connection:1')
      expect(sealed).toMatch(/^s2\.[0-9a-f]{8}\.[A-Za-z0-9_-]+$/)
      expect(open(key, sealed, 'connection:1')).toBe(plain)
      expect(seal(key, plain, 'connection:1')).not.toBe(sealed)
    }
  })

  test('reports why it cannot be opened', () => {
    proves('11.3.3')
    const sealed = seal(key, 'token', 'connection:1')
    expect(reasonOf(() => open(other, sealed, 'connection:1'))).toBe('other-key')
    expect(reasonOf(() => open(key, sealed, 'connection:2'))).toBe('tampered')
    expect(reasonOf(() => open(key, sealed.slice(0, 20), 'connection:1'))).toBe('malformed')
    expect(reasonOf(() => open(key, 'token', 'connection:1'))).toBe('malformed')
    const [version, id, body = ''] = sealed.split('.')
    for (let at = 0; at < body.length - 1; at += 1) {
      const flipped = `${body.slice(0, at)}${body[at] === 'A' ? 'B' : 'A'}${body.slice(at + 1)}`
      expect(reasonOf(() => open(key, `${version}.${id}.${flipped}`, 'connection:1'))).toBe('tampered')
    }
  })

  test('opens what the first release sealed, for what it was sealed for only', () => {
    const sealed = 's1.cd270855.2Gq0KzNTImfSKOMT1k7cXWBVC0OJdAhAaRM0FSS8ezmWDQ'
    expect(open(key, sealed, 'connection:1')).toBe('xoxb-1')
    expect(reasonOf(() => open(key, sealed, 'connection:2'))).toBe('tampered')
    expect(reasonOf(() => open(key, sealed.replace('s1', 's2'), 'connection:1'))).toBe('tampered')
    const now = seal(key, 'xoxb-1', 'connection:1')
    expect(reasonOf(() => open(key, now.replace('s2', 's1'), 'connection:1'))).toBe('tampered')
  })
})

describe('the key', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = join(await mkdtemp(join(tmpdir(), 'groundswell-key-')), 'data')
  })
  afterEach(() => rm(join(dataDir, '..'), { recursive: true, force: true }))

  test('is made once, for its owner only, and leaves nothing beside it', async () => {
    const made = await loadKey({ dataDir })
    expect((await loadKey({ dataDir })).bytes).toEqual(made.bytes)
    expect((await stat(join(dataDir, 'secret.key'))).mode & 0o777).toBe(0o600)
    expect(await readdir(dataDir)).toEqual(['secret.key'])
  })

  test('is one, of many processes and calls that start at once', async () => {
    const script = `import { loadKey } from ${JSON.stringify(join(import.meta.dirname, 'key.ts'))}
      process.stdout.write((await loadKey({ dataDir: ${JSON.stringify(dataDir)} })).bytes.toString('hex'))`
    const processes = Array.from({ length: 4 }, () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      return text(child.stdout)
    })
    const calls = Array.from({ length: 8 }, async () => (await loadKey({ dataDir })).bytes.toString('hex'))
    const found = new Set(await Promise.all([...processes, ...calls]))
    expect(found.size).toBe(1)
    expect([...found][0]).toMatch(/^[0-9a-f]{64}$/)
  })

  test('from GROUNDSWELL_KEY is used as it is, in hex or base64, and no file is made', async () => {
    const bytes = Buffer.alloc(32, 200)
    for (const text of [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')]) {
      expect((await loadKey({ dataDir, key: text })).bytes).toEqual(bytes)
    }
    await expect(readdir(dataDir)).rejects.toThrow('ENOENT')
  })

  test('in a file that others can read, or that holds no key, is refused with the reason', async () => {
    proves('13.3.2')
    await loadKey({ dataDir })
    const path = join(dataDir, 'secret.key')
    await chmod(path, 0o644)
    await expect(loadKey({ dataDir })).rejects.toThrow(/chmod 600/)
    await chmod(path, 0o600)
    await writeFile(path, 'rubbish')
    await expect(loadKey({ dataDir })).rejects.toThrow(KeyFileError)
  })

  test('of a backup takes the place of the file’s, which stays beside it and an earlier key', async () => {
    const old = await loadKey({ dataDir })
    const oldText = await readFile(join(dataDir, 'secret.key'), 'utf8')
    await keepKey({ dataDir }, Buffer.alloc(32, 9))
    const now = await loadKey({ dataDir })
    expect(now.bytes).toEqual(Buffer.alloc(32, 9))
    expect(now.find?.(old.id)).toEqual(old.bytes)
    expect(await readFile(join(dataDir, `secret.key.${old.id}`), 'utf8')).toBe(oldText)
    const fixed = { dataDir, key: Buffer.alloc(32, 5).toString('hex') }
    await expect(keepKey(fixed, Buffer.alloc(32, 6))).rejects.toThrow(/GROUNDSWELL_KEY/)
    expect((await keepKey(fixed, Buffer.alloc(32, 5))).bytes).toEqual(Buffer.alloc(32, 5))
  })
})

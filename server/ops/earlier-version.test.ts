import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { earlierVersion } from './earlier-version.ts'

let root: string
let to: string

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'groundswell-history-'))
  to = mkdtempSync(path.join(tmpdir(), 'groundswell-earlier-'))
  for (const folder of ['server/migrations', 'contract', 'node_modules/pg', 'node_modules/@groundswell'])
    mkdirSync(path.join(root, folder), { recursive: true })
  write('.gitignore', 'node_modules')
  write('contract/index.ts', '')
  writePackages({ pg: '1.0.0' })
})
afterEach(() => {
  for (const folder of [root, to]) rmSync(folder, { recursive: true })
})

function write(file: string, text: string): void {
  writeFileSync(path.join(root, file), text)
}

function writePackages(versions: Record<string, string>): void {
  const packages = Object.entries(versions).map(([name, version]) => [`node_modules/${name}`, { version }])
  write('package-lock.json', JSON.stringify({ packages: Object.fromEntries(packages) }))
}

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ops', '-c', 'user.email=ops@tallybrook.example', ...args], {
    cwd: root,
    stdio: 'pipe',
  })

function commit(): void {
  git('add', '-A')
  git('commit', '-q', '-m', 'Change')
}

function addMigration(name: string): void {
  write(`server/migrations/${name}`, 'select 1;')
  commit()
}

const migrationsIn = (folder: string) => readdirSync(path.join(folder, 'server/migrations'))

test('the earlier version is what was there before the newest migration, with its own code and these packages', () => {
  git('init', '-q')
  addMigration('0001-one.sql')
  writePackages({ pg: '1.0.0', added: '2.0.0' })
  addMigration('0002-two.sql')
  write('contract/index.ts', 'export const later = true')
  commit()
  const { checkout, migration } = earlierVersion(to, root)
  expect([migration, migrationsIn(checkout)]).toEqual(['0002-two.sql', ['0001-one.sql']])
  expect(readlinkSync(path.join(checkout, 'node_modules/pg'))).toBe(path.join(root, 'node_modules/pg'))
  expect(readlinkSync(path.join(checkout, 'node_modules/@groundswell/contract'))).toBe('../../contract')
})

test('a branch that had not all of the migrations before is passed over', () => {
  git('init', '-q')
  addMigration('0001-one.sql')
  git('checkout', '-q', '-b', 'other')
  addMigration('0003-three.sql')
  git('checkout', '-q', '-')
  addMigration('0002-two.sql')
  git('merge', '-q', '--no-edit', 'other')
  expect(migrationsIn(earlierVersion(to, root).checkout)).toEqual(['0001-one.sql', '0002-two.sql'])
})

test('without history, or with other packages, it fails in one sentence', () => {
  write('server/migrations/0001-one.sql', 'select 1;')
  const noHistory = 'the git history of this checkout does not reach to before 0001-one.sql'
  expect(() => earlierVersion(to, root)).toThrow(noHistory)
  git('init', '-q')
  commit()
  expect(() => earlierVersion(to, root)).toThrow(noHistory)
  writePackages({ pg: '1.1.0' })
  addMigration('0002-two.sql')
  expect(() => earlierVersion(to, root)).toThrow(
    'the earlier version needs other packages than this checkout has installed (pg): its package-lock.json differs',
  )
})

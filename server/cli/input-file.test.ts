import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileOptions, inputFile, readingNotes, readRows } from './input-file.ts'
import { ownTerminal } from './terminal.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'groundswell-folder-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

async function write(files: Record<string, string>) {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
    await writeFile(path.join(folder, name), content)
  }
}

async function readFolder() {
  const file = await inputFile(ownTerminal(), folder)
  const options = fileOptions(file.name, {})
  const { rows, problems } = await readRows(file, options)
  return {
    rows: rows.map(({ item }) => [item.text, item.author, item.place]),
    problems,
    notes: await readingNotes(file, options),
  }
}

test('a folder of parts is one file', async () => {
  await write({
    'part-1.csv': 'message,author\nIt hangs,Ada\n',
    'part-2.csv': 'message,author\nIt is slow,Bo\n',
    '.DS_Store': '\0\0',
    '.git/config': 'x',
  })
  const name = path.basename(folder)
  const { rows, notes } = await readFolder()
  expect(rows).toEqual([
    ['It hangs', 'Ada', name],
    ['It is slow', 'Bo', name],
  ])
  expect(notes[0]).toBe('Reads 2 files as one.')
  const file = await inputFile(ownTerminal(), folder)
  const whole = await buffer(file.open())
  expect(whole.byteLength).toBe(file.size)
  for (const from of [1, 40, 70, whole.byteLength - 3])
    expect(await buffer(file.open(from))).toEqual(whole.subarray(from))
})

test('an unpacked export of a Slack workspace is one, with the names of its people', async () => {
  const said = { type: 'message', ts: '1790841100.000200', user: 'U0A', text: 'Fails &amp; hangs' }
  await write({
    'users.json': JSON.stringify([{ id: 'U0A', profile: { display_name: 'Una' } }]),
    'channels.json': '[]',
    'bugs/2026-10-01.json': JSON.stringify([said]),
    'bugs/2026-10-02.json': JSON.stringify([{ ...said, ts: '1790927500.000100', text: '<@U0A> again' }]),
  })
  expect(await readFolder()).toEqual({
    rows: [
      ['Fails & hangs', 'Una', '#bugs'],
      ['@Una again', 'Una', '#bugs'],
    ],
    problems: [],
    notes: ['Looks like a Slack export.'],
  })
})

test('an empty folder is refused', async () => {
  await expect(inputFile(ownTerminal(), folder)).rejects.toThrow('has no files')
})

import path from 'node:path/posix'
import type { FileOptions } from '../../connector.ts'
import { Rejected } from '../../kit/errors.ts'
import { chatLines } from './chat-export.ts'
import { chatExportOf } from './chat-files.ts'
import { unpackedText } from './inflate.ts'
import type { OpenFile, Seekable } from './opened.ts'
import { hasCells, sheetLines } from './sheet.ts'
import { openWorkbook, type Workbook } from './workbook.ts'
import { openZip, type Zip } from './zip.ts'

type How = { cut: boolean; maxTried: number }

/** A sheet of a workbook, the messages of an export of a Slack workspace, or the one file of an archive. Throws `Rejected` where it is not clear which one is meant. */
export async function openArchive(bytes: Seekable, options: FileOptions, how: How): Promise<OpenFile> {
  const zip = await openZip(bytes, how)
  const chat = chatExportOf(zip.names)
  const workbook = chat ? null : await openWorkbook(zip)
  let taken = 0
  const opened = {
    again: true,
    taken: () => taken,
  }
  const onRead = (count: number) => {
    taken = count
  }
  if (!workbook) {
    if (options.format === 'xlsx') throw new Rejected('The file is not an Excel workbook')
    if (chat) {
      const lines: FileOptions = { ...options, format: 'jsonl', encoding: 'utf-8' }
      const open = () => chatLines(zip, chat, { cut: how.cut, onRead, size: bytes.size })
      return { ...opened, options: lines, sheets: [], sheet: null, open }
    }
    const name = onlyFile(zip)
    const named = { ...options, name: path.basename(name) }
    return { ...opened, options: named, sheets: [], sheet: null, open: () => unpackedText(zip.read(name, onRead)) }
  }
  const sheet = await chosenSheet(zip, workbook, options.sheet ?? null, how.maxTried)
  return {
    ...opened,
    options: { ...options, format: 'xlsx', encoding: 'utf-8' },
    sheets: workbook.sheets.map(({ name }) => name),
    sheet: sheet.name,
    open: () => sheetLines(zip, workbook, sheet.file, onRead),
  }
}

function onlyFile({ names }: Zip): string {
  const [name] = names
  if (name === undefined) throw new Rejected('The archive has no file')
  if (names.length === 1) return name
  throw new Rejected(
    `The archive has ${names.length.toLocaleString('en-US')} files. Unpack it and import each file separately`,
  )
}

/** The sheet of that name; without a name, the first one that is not empty. */
async function chosenSheet(zip: Zip, { sheets }: Workbook, wanted: string | null, maxTried: number) {
  const named = sheets.find(({ name }) => name === wanted)
  if (wanted !== null && !named) throw new Rejected(`The workbook has no sheet ${JSON.stringify(wanted.slice(0, 100))}`)
  if (named) return named
  for (const sheet of sheets.slice(0, maxTried)) if (await hasCells(zip, sheet.file)) return sheet
  throw new Rejected('The sheets of the workbook are empty')
}

import path from 'node:path/posix'
import { type ChatFolder, chatFolderOf } from '@groundswell/contract/feedback/chat-folder.ts'
import type { FileOptions } from '../../connector.ts'
import { Rejected } from '../../kit/errors.ts'
import { HEAD_BYTES } from '../head.ts'
import { isChatDay } from './chat-day.ts'
import { chatLines } from './chat-export.ts'
import { unpackedText } from './inflate.ts'
import { openDocumentLines, openDocumentSheets } from './open-document.ts'
import { isWorkbook, NO_WORKBOOK, type OpenFile, type Seekable } from './opened.ts'
import { openParts } from './parts.ts'
import { hasCells, sheetLines } from './sheet.ts'
import { openWorkbook } from './workbook.ts'
import { openZip, type Zip } from './zip.ts'

/** Days without a message that are passed over. */
const MAX_DAYS_TRIED = 20

type How = { cut: boolean; maxTried: number }
type Sheet = {
  name: string
  hasCells(): Promise<boolean>
  lines(onRead: (bytes: number) => void): AsyncIterable<Uint8Array>
}
type Book = { format: 'xlsx' | 'ods'; sheets: Sheet[] }

/**
 * A sheet of a workbook, the messages of an export of a Slack workspace, the one file of an archive, or several files of one kind. Throws
 * `Rejected` if it is ambiguous which files are meant.
 */
export async function openArchive(bytes: Seekable, options: FileOptions, how: How): Promise<OpenFile> {
  const zip = await openZip(bytes, how)
  const chat = await chatIn(zip)
  const book = chat ? null : await bookIn(zip)
  let taken = 0
  const opened = {
    again: true,
    taken: () => taken,
  }
  const onRead = (count: number) => {
    taken = count
  }
  if (!book) {
    if (isWorkbook(options.format)) throw new Rejected(NO_WORKBOOK)
    if (chat) {
      const lines: FileOptions = { ...options, format: 'jsonl', encoding: 'utf-8' }
      const open = () => chatLines(zip, chat, { cut: how.cut, onRead, size: bytes.size })
      return { ...opened, options: lines, sheets: [], sheet: null, open }
    }
    const [name] = zip.names
    if (name === undefined) throw new Rejected('The archive has no file')
    if (zip.names.length > 1)
      return { ...opened, sheets: [], sheet: null, ...(await openParts(zip, options, { cut: how.cut, onRead })) }
    const named = { ...options, name: path.basename(name) }
    return { ...opened, options: named, sheets: [], sheet: null, open: () => unpackedText(zip.read(name, onRead)) }
  }
  const sheet = await chosenSheet(book, options.sheet ?? null, how.maxTried)
  return {
    ...opened,
    options: { ...options, format: book.format, encoding: 'utf-8' },
    sheets: book.sheets.map(({ name }) => name),
    sheet: sheet.name,
    open: () => sheet.lines(onRead),
  }
}

/** The workbook in an archive; null where it holds none. */
async function bookIn(zip: Zip): Promise<Book | null> {
  const ownSheets = await openDocumentSheets(zip)
  if (ownSheets) {
    const sheets = ownSheets.map(({ name, isEmpty }) => ({
      name,
      hasCells: () => Promise.resolve(!isEmpty),
      lines: (onRead: (bytes: number) => void) => openDocumentLines(zip, name, onRead),
    }))
    return { format: 'ods', sheets }
  }
  const workbook = await openWorkbook(zip)
  if (!workbook) return null
  const sheets = workbook.sheets.map(({ name, file }) => ({
    name,
    hasCells: () => hasCells(zip, file),
    lines: (onRead: (bytes: number) => void) => sheetLines(zip, workbook, file, onRead),
  }))
  return { format: 'xlsx', sheets }
}

/** The export of a workspace in an archive, or days of its channels, which are recognised by the first one that is not empty. */
async function chatIn(zip: Zip): Promise<ChatFolder | null> {
  const [only = ''] = zip.names
  const alone = { root: '', days: [{ file: only, folder: '' }], lists: new Set<string>() }
  const chat = chatFolderOf(zip.names) ?? (zip.names.length === 1 ? alone : null)
  if (!chat || chat.lists.size > 0) return chat
  for (const { file } of chat.days.slice(0, MAX_DAYS_TRIED)) {
    const head = await beginning(zip.read(file))
    if (head.byteLength > 4) return isChatDay(head) ? chat : null
  }
  return null
}

async function beginning(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    chunks.push(Uint8Array.from(chunk))
    size += chunk.byteLength
    if (size >= HEAD_BYTES) break
  }
  return Buffer.concat(chunks)
}

/** The sheet of that name; without a name, the first one that is not empty. */
async function chosenSheet({ sheets }: Book, wanted: string | null, maxTried: number): Promise<Sheet> {
  const named = sheets.find(({ name }) => name === wanted)
  if (wanted !== null && !named) throw new Rejected(`The workbook has no sheet ${JSON.stringify(wanted.slice(0, 100))}`)
  if (named) return named
  for (const sheet of sheets.slice(0, maxTried)) if (await sheet.hasCells()) return sheet
  throw new Rejected('The sheets of the workbook are empty')
}

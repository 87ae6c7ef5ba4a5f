import { chatFolderOf } from '@groundswell/contract/feedback/chat-folder.ts'
import { MAX_ARCHIVE_BYTES, MAX_ARCHIVE_FILES, storedArchive } from '@groundswell/contract/feedback/stored-archive.ts'

/** A file with its path in the folder that was chosen; of a single file its name. */
export type PathFile = { path: string; file: File }

/** What cannot be imported together. The message tells the user what to do. */
export class NotTogether extends Error {}

/** Parts are numbered. */
const inOrder = new Intl.Collator('en', { numeric: true }).compare
const HIDDEN = /(?:^|\/)(?:\.|__MACOSX\/|(?:Thumbs\.db|desktop\.ini)$)/

/** The files of an input: one, several, or a folder. */
export function filesOfInput(files: FileList): PathFile[] {
  return Array.from(files, (file) => ({ path: file.webkitRelativePath || file.name, file }))
}

/** Dropped files, with all in dropped folders. */
export async function filesOfDrop(dropped: Pick<DataTransfer, 'items' | 'files'>): Promise<PathFile[]> {
  // Before the first wait: then the browser takes them away.
  const entries = Array.from(dropped.items, (item) => item.webkitGetAsEntry?.() ?? null)
  const files = filesOfInput(dropped.files)
  if (!entries.some((entry) => entry?.isDirectory)) return files
  const found: PathFile[] = []
  for (const entry of entries) if (entry) found.push(...(await filesIn(entry)))
  return found
}

async function filesIn(entry: FileSystemEntry): Promise<PathFile[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    return [{ path: entry.fullPath.replace(/^\//, ''), file }]
  }
  if (!isFolder(entry)) return []
  const reader = entry.createReader()
  const found: PathFile[] = []
  // A call gives a hundred at most.
  for (;;) {
    const next = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (next.length === 0) return found
    for (const one of next) found.push(...(await filesIn(one)))
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

/**
 * The file to import: the chosen one, or all of them in an archive, named by their folder. Of an export of a chat it has the channels only.
 * Throws `NotTogether` for none, and for more than an archive holds.
 */
export function oneFile(chosen: readonly PathFile[]): { file: File; count: number } {
  const shown = chosen.filter(({ path }) => !HIDDEN.test(path))
  const files = withoutDirect(shown).toSorted((a, b) => inOrder(a.path, b.path))
  const [first] = files
  if (!first) throw new NotTogether('There is no file in the folder.')
  if (files.length === 1) return { file: first.file, count: 1 }
  const size = files.reduce((sum, { file }) => sum + file.size + 200, 0)
  if (files.length > MAX_ARCHIVE_FILES || size > MAX_ARCHIVE_BYTES)
    throw new NotTogether('These are too many files, or more than 4 GiB. Make them a .zip and import that.')
  const { headers, end } = storedArchive(files.map(({ path, file }) => ({ name: path, size: file.size })))
  const parts = files.flatMap(({ file }, at) => [headers[at] ?? '', file])
  return { file: new File([...parts, end], nameOf(files), { type: 'application/zip' }), count: files.length }
}

/** The channels and the lists of names of a chat's export; all other files. */
function withoutDirect(files: readonly PathFile[]): readonly PathFile[] {
  const chat = chatFolderOf(files.map(({ path }) => path))
  if (!chat) return files
  const read = new Set([...[...chat.lists].map((list) => chat.root + list), ...chat.days.map(({ file }) => file)])
  return files.filter(({ path }) => read.has(path))
}

/** The folder that all are in, or the first file and how many more there are. */
function nameOf(files: readonly PathFile[]): string {
  const [first = '', ...others] = files.map(({ path }) => path)
  const folder = first.includes('/') ? first.slice(0, first.indexOf('/')) : ''
  if (folder !== '' && others.every((path) => path.startsWith(`${folder}/`))) return folder.slice(0, 200)
  return `${(first.split('/').at(-1) ?? first).slice(0, 200)} and ${others.length} more`
}

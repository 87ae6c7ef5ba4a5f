import type { FilePage } from '@groundswell/connectors/connector.ts'
import { isOwnAuthor, MIN_OWN_MESSAGES } from '@groundswell/engine/index.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { fileReader, storedBytes } from './imports/import-file.ts'
import { findLatestOwnSide, type ImportRow, markOwnSide, type OwnSide } from './imports/import-store.ts'

/** Authors beyond this many are not judged: the memory for a file is limited. */
const MAX_AUTHORS = 200_000
/** How many authors are judged, those with the most messages first, and by how many messages each. */
const MAX_JUDGED = 200
const MAX_MESSAGES = 40
/** UTF-16 units of a message that are judged. */
const MAX_LENGTH = 1_000

/** Decides how our own side is recognised in the file of an import, once: a run that resumes reads the rest the same way. */
export async function decideOwnSide(
  services: Pick<Services, 'db'>,
  workspaceId: string,
  row: ImportRow & { connectionId: string },
  signal?: AbortSignal,
): Promise<OwnSide> {
  if (row.ownSide) return row.ownSide
  const found = await findOwnSide(services, workspaceId, row, signal)
  await inWorkspace(services.db, workspaceId, (tx) => markOwnSide(tx, workspaceId, row.id, found))
  return found
}

async function findOwnSide(
  services: Pick<Services, 'db'>,
  workspaceId: string,
  row: ImportRow & { connectionId: string },
  signal: AbortSignal | undefined,
): Promise<OwnSide> {
  if (row.options.ownReplies === 'feedback') return { by: null, authors: [] }
  return sidesOf({
    pages: () =>
      fileReader().read(storedBytes(services, workspaceId, row), { name: row.name, ...row.options }, row.startedAt),
    earlier: () =>
      inWorkspace(services.db, workspaceId, (tx) => findLatestOwnSide(tx, workspaceId, row.connectionId, row.id)),
    signal,
  })
}

type Sides = {
  /** The rows, from the first one each time. */
  pages: () => AsyncIterable<FilePage>
  /** How our own side was recognised in an earlier file of the same source. */
  earlier: () => Promise<OwnSide | null>
  signal?: AbortSignal | undefined
}

/** How our own side is recognised in these rows: by a column that tells it, else by how its authors write. */
export async function sidesOf({ pages, earlier, signal }: Sides): Promise<OwnSide> {
  const counts = await countAuthors(pages(), signal)
  if (counts === 'roles') return { by: 'role', authors: [] }
  const known = await earlier()
  const frequent = [...counts]
    .filter(([, count]) => count >= MIN_OWN_MESSAGES)
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, MAX_JUDGED)
  const messages = await messagesOf(new Set(frequent.map(([author]) => author)), pages, signal)
  const authors = [...messages].filter(([, texts]) => isOwnAuthor(texts)).map(([author]) => author)
  return { by: 'author', authors: [...new Set([...(known?.authors ?? []), ...authors])] }
}

/** How many rows each author has; `roles` when the file tells who is who. */
async function countAuthors(
  pages: AsyncIterable<FilePage>,
  signal: AbortSignal | undefined,
): Promise<Map<string, number> | 'roles'> {
  const counts = new Map<string, number>()
  for await (const page of pages) {
    signal?.throwIfAborted()
    for (const { author, role } of page.items) {
      if (role !== undefined) return 'roles'
      if (author === null) continue
      const count = counts.get(author)
      if (count !== undefined || counts.size < MAX_AUTHORS) counts.set(author, (count ?? 0) + 1)
    }
  }
  return counts
}

/** The first messages of these authors. */
async function messagesOf(
  authors: ReadonlySet<string>,
  pages: () => AsyncIterable<FilePage>,
  signal: AbortSignal | undefined,
): Promise<Map<string, string[]>> {
  const messages = new Map<string, string[]>([...authors].map((author) => [author, []]))
  if (authors.size === 0) return messages
  for await (const page of pages()) {
    signal?.throwIfAborted()
    for (const { author, text } of page.items) {
      const known = author === null ? undefined : messages.get(author)
      if (known && known.length < MAX_MESSAGES) known.push(text.slice(0, MAX_LENGTH))
    }
  }
  return messages
}

/** Pages whose items have the role that was decided. */
export async function* withSides(pages: AsyncIterable<FilePage>, { by, authors }: OwnSide): AsyncGenerator<FilePage> {
  if (by !== 'author' || authors.length === 0) return yield* pages
  const own = new Set(authors)
  for await (const page of pages) {
    const items = page.items.map((item) =>
      item.author !== null && own.has(item.author) ? { ...item, role: 'agent' as const } : item,
    )
    yield { ...page, items }
  }
}

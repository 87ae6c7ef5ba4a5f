import type { FileOptions, FilePreview } from '@groundswell/connectors/connector.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { ColumnMapping, type previewImport, type startImport } from '@groundswell/contract/feedback.ts'
import type { QueryOf, ReplyOf } from '@groundswell/contract/route.ts'
import { offsetText, zonesOf } from '@groundswell/contract/values/zone-list.ts'
import { faults } from '../../platform/http/parse.ts'

type ReadingQuery = Pick<
  QueryOf<typeof startImport>,
  'name' | 'format' | 'header' | 'mapping' | 'encoding' | 'date_order' | 'own_replies' | 'zones' | 'sheet'
>

/** How a file is to be read, from a call's parameters. Throws `invalid_input` for a mapping that cannot be parsed. */
export function readingOf(query: ReadingQuery): FileOptions {
  return {
    name: query.name,
    format: query.format ?? null,
    header: query.header === undefined ? null : query.header === 'true',
    mapping: query.mapping === undefined ? null : parseMapping(query.mapping),
    encoding: query.encoding ?? null,
    dateOrder: query.date_order ?? null,
    ...(query.zones === undefined ? {} : { zones: zonesOf(query.zones) }),
    sheet: query.sheet ?? null,
    ...(query.own_replies === undefined ? {} : { ownReplies: query.own_replies }),
  }
}

/** A preview as the call returns it, without what the workspace knows about the file. */
export function viewPreview({
  dateOrder,
  skippedRows,
  zones,
  ...preview
}: Omit<FilePreview, 'found'>): Omit<ReplyOf<typeof previewImport>, 'same' | 'expected' | 'remembered'> {
  const shown = zones.map(({ name, offset, places }) => ({
    name,
    offset: offsetText(offset),
    places: places.map((one) => ({ ...one, offset: offsetText(one.offset) })),
  }))
  return { ...preview, date_order: dateOrder, skipped_rows: skippedRows, zones: shown }
}

/** A refusal of the file reader, as an error of the contract; any other error as it is. */
export function refused(error: unknown): unknown {
  const { kind, message } = (error ?? {}) as { kind?: unknown; message?: unknown }
  if (kind !== 'rejected' || typeof message !== 'string') return error
  return new ContractError('invalid_input', message, { body: message })
}

function parseMapping(text: string): ColumnMapping {
  const wrong = (fields: Record<string, string>) =>
    new ContractError('invalid_input', 'The mapping of columns cannot be read', fields)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw wrong({ mapping: 'must be JSON' })
  }
  const parsed = ColumnMapping.safeParse(value)
  if (!parsed.success) {
    const named = Object.entries(faults(parsed.error.issues, ''))
    throw wrong(Object.fromEntries(named.map(([path, reason]) => [path ? `mapping.${path}` : 'mapping', reason])))
  }
  return parsed.data
}

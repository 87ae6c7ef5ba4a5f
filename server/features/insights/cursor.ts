import { ContractError } from '@groundswell/contract/errors.ts'
import { z } from 'zod'
import type { EvidencePlace } from './evidence-store.ts'

const MAX_MS = 8_640_000_000_000_000
/** PostgreSQL knows no earlier year than 4713 BC. */
const MIN_MS = Date.UTC(-4712, 0, 1)
const Place = z.tuple([z.int().min(MIN_MS).max(MAX_MS), z.int().nonnegative(), z.int().nonnegative().max(32_767)])

/** An opaque cursor for the page after this mention. */
export function writeCursor({ saidAt, itemId, number }: EvidencePlace): string {
  return Buffer.from(JSON.stringify([saidAt.getTime(), itemId, number])).toString('base64url')
}

/** Reads a cursor of `writeCursor`. Throws `invalid_input` for anything else. */
export function readCursor(cursor: string): EvidencePlace {
  try {
    const [saidAt, itemId, number] = Place.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))
    return { saidAt: new Date(saidAt), itemId, number }
  } catch {
    throw new ContractError('invalid_input', 'This cursor is not valid', { 'query.cursor': 'not a cursor' })
  }
}

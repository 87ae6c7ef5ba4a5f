import { createHash } from 'node:crypto'
import type { BorderlineMatch } from '@groundswell/engine/index.ts'
import type { Tx } from '../../../../platform/db/tenant.ts'
import { readNames, readStatementsById } from '../../../insights/index.ts'
import { speaksToModels } from '../../injection.ts'
import { oneLine, withoutAddresses } from '../../plain-text.ts'
import type { Shown } from './question.ts'

/** A message that nearly joined an insight. `shown` is null when it may not be shown to the model. `hash`: of its words. */
export type JoinCase = {
  itemId: number
  number: number
  hash: string
  issueId: number
  score: number
  shown: Shown | null
}

const MAX_MESSAGE_LENGTH = 400
const MAX_EXAMPLE_LENGTH = 160
/** At least this many messages of the insight must be fit to be shown. */
const MIN_EXAMPLES = 2

/** These matches as cases, from what is stored now. Those that no longer exist or have been grouped since are left out. */
export async function prepareCases(
  tx: Tx,
  workspaceId: string,
  found: readonly BorderlineMatch[],
): Promise<JoinCase[]> {
  const ids = found.map((one) => one.statementId)
  const stored = new Map(
    (await readStatementsById(tx, workspaceId, ids)).map((row) => [`${row.itemId}:${row.number}`, row]),
  )
  const issues = [...new Set(found.map((one) => one.issueId))]
  const names = await readNames(tx, workspaceId, issues)
  return found.flatMap((one): JoinCase[] => {
    const row = stored.get(one.statementId)
    if (!row || row.text === null || row.issueNumber !== null) return []
    const { itemId, number, text } = row
    const { issueId, score } = one
    const shown = shownOf(text, names.get(issueId) ?? '', one.examples)
    return [{ itemId, number, hash: hashOf(text), issueId, score, shown }]
  })
}

/** Those of these cases whose message still has the same words. */
export async function readUnchanged(tx: Tx, workspaceId: string, cases: readonly JoinCase[]): Promise<Set<JoinCase>> {
  const ids = cases.map((one) => `${one.itemId}:${one.number}`)
  const rows = await readStatementsById(tx, workspaceId, ids)
  const hashes = new Map(rows.map((row) => [`${row.itemId}:${row.number}`, hashOf(row.text ?? '')]))
  return new Set(cases.filter((one, at) => hashes.get(ids[at] as string) === one.hash))
}

/** Texts that address models are left out; null when that is the message itself, or when too few examples are left. */
function shownOf(text: string, name: string, examples: readonly string[]): Shown | null {
  const message = clean(text, MAX_MESSAGE_LENGTH)
  const others = examples.flatMap((example) => clean(example, MAX_EXAMPLE_LENGTH) ?? [])
  if (message === null || others.length < MIN_EXAMPLES) return null
  return { message, title: speaksToModels(name) ? '' : oneLine(name), examples: others }
}

function clean(text: string, maxLength: number): string | null {
  const plain = withoutAddresses(text)
  const line = oneLine(plain, maxLength)
  return line === '' || speaksToModels(plain) || speaksToModels(line) ? null : line
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

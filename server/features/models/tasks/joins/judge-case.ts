import { createHash } from 'node:crypto'
import {
  type JudgeQuestion,
  type JudgeRef,
  SHOWN_MEMBER_LENGTH,
  SHOWN_STATEMENT_LENGTH,
} from '@groundswell/engine/index.ts'
import type { Tx } from '../../../../platform/db/tenant.ts'
import { type NamedStatement, readEmergingNames, readNames, readStatementsById } from '../../../insights/index.ts'
import { speaksToModels } from '../../injection.ts'
import { oneLine, withoutAddresses } from '../../plain-text.ts'

/** What is shown of a message, or of an insight. */
export type Shown = { message: string } | { title: string; messages: readonly string[] }

/** A message or an insight in a question. `statement` is null for an insight; `shown` when it may not be shown to the model. */
type Side = { ref: JudgeRef; statement: NamedStatement | null; shown: Shown | null }

/** A candidate of a case: how similar it is, and whether it is surely wrong. */
export type Candidate = Side & { score: number; isControl: boolean }

/** A question about a message in no insight, or about an insight, with candidates in order of similarity. */
export type JudgeCase = { of: Side; candidates: Candidate[] }

/** These questions as cases, from what is stored now, without what no longer exists or has been grouped since. */
export async function prepareCases(
  tx: Tx,
  workspaceId: string,
  questions: readonly JudgeQuestion[],
): Promise<JudgeCase[]> {
  const refs = questions.flatMap(({ of, candidates }) => [of, ...candidates.map(({ ref }) => ref)])
  const statements = await readNamed(
    tx,
    workspaceId,
    refs.filter((ref) => typeof ref === 'string'),
  )
  const numbers = [...new Set(refs.filter((ref) => typeof ref === 'number'))]
  const names = new Map([
    ...(await readNames(tx, workspaceId, numbers)),
    ...(await readEmergingNames(tx, workspaceId, numbers)),
  ])
  const sideOf = ({ ref, texts }: { ref: JudgeRef; texts: readonly string[] }): Side | null => {
    if (typeof ref === 'number') return { ref, statement: null, shown: shownInsight(names.get(ref) ?? '', texts) }
    const found = statements.get(ref)
    return found ? { ref, statement: found.statement, shown: shownMessage(found.text) } : null
  }
  return questions.flatMap(({ of, texts, candidates }): JudgeCase[] => {
    const side = sideOf({ ref: of, texts })
    const found = candidates.flatMap(({ score, isControl, ...one }) => {
      const candidate = sideOf(one)
      return candidate ? [{ ...candidate, score, isControl }] : []
    })
    return side && found.some(({ isControl }) => !isControl) ? [{ of: side, candidates: found }] : []
  })
}

/** Stored statements in no insight by id, with their words. */
export async function readNamed(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, { statement: NamedStatement; text: string }>> {
  const rows = await readStatementsById(tx, workspaceId, ids)
  return new Map(
    rows.flatMap(({ itemId, number, text, issueNumber }) =>
      text === null || issueNumber !== null
        ? []
        : [[`${itemId}:${number}`, { statement: { itemId, number, hash: hashOf(text) }, text }] as const],
    ),
  )
}

/** A message as it is shown; null for one that addresses models. */
export function shownMessage(text: string): Shown | null {
  const message = clean(text, SHOWN_STATEMENT_LENGTH)
  return message === null ? null : { message }
}

/** An insight is shown by the messages that may be shown, and by its name. */
export function shownInsight(name: string, texts: readonly string[]): Shown | null {
  const messages = texts.flatMap((text) => clean(text, SHOWN_MEMBER_LENGTH) ?? [])
  return messages.length === 0 ? null : { title: speaksToModels(name) ? '' : oneLine(name), messages }
}

/** One line without addresses; null for a text that addresses models. */
function clean(text: string, maxLength: number): string | null {
  const plain = withoutAddresses(text)
  const line = oneLine(plain, maxLength)
  return line === '' || speaksToModels(plain) || speaksToModels(line) ? null : line
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

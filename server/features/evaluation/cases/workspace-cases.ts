import { memberNames } from '../../../auth/index.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { readAuthors, withoutNames } from '../../feedback/index.ts'
import { type LabelledCorrection, readLabelled, readSample, readStatementsById } from '../../insights/index.ts'
import type { Case } from './case.ts'
import { readConsent } from './consent-store.ts'

/** The newest corrections that become cases. */
const MAX_CASES = 1_000
/** Mentions of other insights in each case. */
const BACKGROUND = 20
const SAMPLE = 200
const MAX_TEXT = 20_000

/** The cases of a workspace, as it is now. Null: its owner has not allowed that, or no longer does. */
export function workspaceCases(services: Pick<Services, 'db'>, workspaceId: string): Promise<Case[] | null> {
  return inWorkspace(services.db, workspaceId, async (tx) => {
    if (!(await readConsent(tx, workspaceId))) return null
    const labelled = await readLabelled(tx, workspaceId, MAX_CASES)
    const sample = await readSample(tx, workspaceId, SAMPLE)
    const named = [...(await readAuthors(tx, workspaceId)), ...(await memberNames(tx)).values()]
    const redact = redactor(named)
    const cases: Case[] = []
    for (const one of labelled) {
      const own = [...one.about, ...one.with, ...one.apart]
      const background = sample
        .filter(({ mention, issueNumber }) => !own.includes(mention) && !one.touched.includes(issueNumber))
        .slice(0, BACKGROUND)
        .map(({ mention }) => mention)
      const rows = await readStatementsById(tx, workspaceId, [...own, ...(one.kind === 'point' ? [] : background)])
      const made = caseOf(one, rows, redact)
      if (made) cases.push(made)
    }
    return cases
  })
}

type Row = { itemId: number; number: number; text: string | null; person: string; saidAt: Date }

/** Null where a side has no mention left. People are numbered in the order of their messages. */
function caseOf(one: LabelledCorrection, rows: readonly Row[], redact: (text: string) => string): Case | null {
  const people = new Map<string, number>()
  const messages = rows.flatMap(({ itemId, number, text, person, saidAt }) => {
    const redacted = redact(text ?? '').slice(0, MAX_TEXT)
    if (redacted.trim() === '') return []
    people.set(person, people.get(person) ?? people.size + 1)
    return [{ id: `${itemId}:${number}`, text: redacted, author: `person ${people.get(person)}`, at: saidAt.getTime() }]
  })
  const there = new Set(messages.map(({ id }) => id))
  const [about, joined, apart] = [one.about, one.with, one.apart].map((ids) => ids.filter((id) => there.has(id))) as [
    string[],
    string[],
    string[],
  ]
  const name = one.name === null ? null : redact(one.name)
  if (about.length === 0 || (name === null && joined.length + apart.length === 0)) return null
  return { id: one.id, kind: one.kind, messages, about, with: joined, apart, name }
}

/** Takes the names of people out of a text: only those are looked for that may be in it, as there may be very many. */
function redactor(names: readonly string[]): (text: string) => string {
  const byWord = new Map<string, Set<string>>()
  for (const name of names) {
    for (const word of wordsOf(name)) byWord.set(word, (byWord.get(word) ?? new Set()).add(name))
  }
  return (text) => withoutNames(text, [...new Set(wordsOf(text).flatMap((word) => [...(byWord.get(word) ?? [])]))])
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

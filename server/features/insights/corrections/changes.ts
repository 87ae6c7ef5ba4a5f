import type { CorrectionChange } from '@groundswell/contract/corrections.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { readNames } from '../shown-store.ts'
import { idOf, type Plan } from './plan.ts'
import { readInsightFields, readStatementsOf, type StatementRow } from './store.ts'

type Group = { mentions: number; people: Set<string>; items: Set<number> }

/** An insight mentioned in fewer messages is not shown. */
const MIN_SHOWN_ITEMS = 2

/** How a plan changes each insight that it touches. To be called before the plan is applied. */
export async function changesOf(tx: Tx, workspaceId: string, plan: Plan): Promise<CorrectionChange[]> {
  const stored = await readInsightFields(tx, workspaceId, plan.touched)
  const names = new Map(stored.map((row) => [row.issue_number, row.name]))
  for (const [issueNumber, name] of await readNames(tx, workspaceId, plan.touched)) names.set(issueNumber, name)
  const others = plan.touched.filter((number) => !plan.whole.includes(number))
  const moving = new Set(plan.statements.map(({ row }) => idOf(row)))
  const before = new Map<number, Group>()
  const after = new Map<number, Group>()
  for (const row of others.length > 0 ? await readStatementsOf(tx, workspaceId, others) : []) {
    count(before, row.issueNumber ?? 0, row)
    if (!moving.has(idOf(row))) count(after, row.issueNumber ?? 0, row)
  }
  for (const { row, to } of plan.statements) {
    if (plan.whole.includes(row.issueNumber ?? 0)) count(before, row.issueNumber ?? 0, row)
    count(after, to, row)
  }
  return plan.touched.map((issueNumber) => {
    const was = before.get(issueNumber)
    const is = after.get(issueNumber)
    return {
      issue_number: names.has(issueNumber) ? issueNumber : null,
      name: names.get(issueNumber) ?? null,
      mentions_before: was?.mentions ?? 0,
      mentions_after: is?.mentions ?? 0,
      people_before: was?.people.size ?? 0,
      people_after: is?.people.size ?? 0,
      becomes: becomes(plan, issueNumber, names.has(issueNumber), is),
    }
  })
}

function becomes(plan: Plan, issueNumber: number, known: boolean, is: Group | undefined): CorrectionChange['becomes'] {
  if (plan.merges.some(({ from, into }) => from === issueNumber && into !== null)) return 'merged'
  if (plan.statements.length === 0) return 'stays'
  if (!known) return (is?.items.size ?? 0) < MIN_SHOWN_ITEMS ? 'hidden' : 'new'
  return (is?.items.size ?? 0) < MIN_SHOWN_ITEMS ? 'hidden' : 'stays'
}

function count(groups: Map<number, Group>, issueNumber: number, { person, itemId }: StatementRow): void {
  const group = groups.get(issueNumber) ?? { mentions: 0, people: new Set(), items: new Set() }
  group.mentions++
  group.people.add(person)
  group.items.add(itemId)
  groups.set(issueNumber, group)
}

import { issues } from '@groundswell/engine/corrections/remove.ts'
import { itemIdOf, type State } from '@groundswell/engine/state/state.ts'

/** The statements of each insight that people see, emerging ones included. */
export function shownStatements(state: State): string[][] {
  return [...issues(state)].filter(({ visible }) => visible).map(({ statementIds }) => statementIds)
}

/** For each of these messages, the place of the first insight that has a statement of it; null: none. */
export function insightGroups(insights: readonly (readonly string[])[], ids: readonly string[]): (number | null)[] {
  const groups = new Map<string, number>()
  insights.forEach((statementIds, insight) => {
    for (const id of statementIds) if (!groups.has(itemIdOf(id))) groups.set(itemIdOf(id), insight)
  })
  return ids.map((id) => groups.get(id) ?? null)
}

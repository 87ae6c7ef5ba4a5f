import type { Context } from '../connector.ts'
import { isDeclined } from '../kit/declined.ts'
import type { RemoteStatus } from '../tracker.ts'
import { call } from './client.ts'
import { projectPath } from './place.ts'
import { type Recent, recently } from './recent.ts'
import { listOf, State, type WorkItem } from './schema.ts'

const COMPLETED = 'Completed'
/** What was closed without being done. */
const REMOVED = 'Removed'
/** Where a reopened item goes: the first state of the first of these categories that its type has. */
const OPEN = ['Proposed', 'InProgress']
/** Every update needs the states of a type. */
const noStates = (): Recent<State[]> => new Map()

/** The states of an item's type in the project where it is now; read again where its own state is not one of them. */
export function statesOf(context: Context, organisation: string, { fields }: WorkItem): Promise<State[]> {
  const { 'System.TeamProject': project, 'System.WorkItemType': type, 'System.State': own } = fields
  const read = async () => {
    const { value } = await call(context, {
      name: 'workitemtypes.states',
      path: `${projectPath({ organisation, project })}/wit/workitemtypes/${encodeURIComponent(type)}/states`,
      preview: 'states',
      schema: listOf(State),
    })
    return value
  }
  const knowsOwn = (states: readonly State[]) => states.some(({ name }) => name === own)
  return recently(context, noStates, [organisation, project, type], read, knowsOwn)
}

/**
 * Whether an item is closed, by the category of its state, and why: `Removed` is declined. A completed one is too where the state says so, or the
 * reason that Azure DevOps asks for with the state: “Duplicate”, “As Designed”.
 */
export async function statusOf(
  context: Context,
  organisation: string,
  item: WorkItem,
): Promise<Omit<RemoteStatus, 'id'>> {
  const { 'System.State': name, 'System.Reason': reason } = item.fields
  const states = await statesOf(context, organisation, item)
  const category = states.find((state) => state.name === name)?.category
  if (category === REMOVED) return { state: 'closed', name, declined: true }
  if (category !== COMPLETED) return { state: 'open', name }
  if (isDeclined(name)) return { state: 'closed', name, declined: true }
  return isDeclined(reason) ? { state: 'closed', name: reason ?? name, declined: true } : { state: 'closed', name }
}

/** The state that reopens an item; undefined where its type has none. */
export function openState(states: readonly State[]): string | undefined {
  for (const category of OPEN) {
    const state = states.find((one) => one.category === category)
    if (state) return state.name
  }
  return undefined
}

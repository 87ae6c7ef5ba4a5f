import type { Context } from '../connector.ts'
import type { RemoteStatus } from '../tracker.ts'
import { call } from './client.ts'
import { projectPath } from './place.ts'
import { type Recent, recently } from './recent.ts'
import { listOf, State, type WorkItem } from './schema.ts'

const CLOSED = new Set(['Completed', 'Removed'])
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

/** Whether an item is closed, by the category of its state, and the state's name. */
export async function statusOf(
  context: Context,
  organisation: string,
  item: WorkItem,
): Promise<Omit<RemoteStatus, 'id'>> {
  const name = item.fields['System.State']
  const states = await statesOf(context, organisation, item)
  return { state: isClosed(states, name) ? 'closed' : 'open', name }
}

const isClosed = (states: readonly State[], name: string) =>
  states.some((state) => state.name === name && CLOSED.has(state.category))

/** The state that reopens an item; undefined where its type has none. */
export function openState(states: readonly State[]): string | undefined {
  for (const category of OPEN) {
    const state = states.find((one) => one.category === category)
    if (state) return state.name
  }
  return undefined
}

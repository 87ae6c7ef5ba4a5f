import type { Context } from '../connector.ts'
import type { RemoteStatus } from '../tracker.ts'
import { call } from './client.ts'
import { projectPath } from './place.ts'
import { listOf, State, type WorkItem } from './schema.ts'

const CLOSED = new Set(['Completed', 'Removed'])
/** Where a reopened item goes: the first state of the first of these categories that its type has. */
const OPEN = ['Proposed', 'InProgress']
const KEPT_MS = 600_000
const MAX_TYPES = 1000

type Kept = { states: State[]; until: number }

/** The states of types that were read recently: they change rarely, and every update needs them. */
const noStates = () => new Map<string, Kept>()

/** The states of an item's type in the project where it is now; read again where its own state is not one of them. */
export async function statesOf(context: Context, organisation: string, { fields }: WorkItem): Promise<State[]> {
  const { 'System.TeamProject': project, 'System.WorkItemType': type, 'System.State': known } = fields
  const cached = context.cache(noStates)
  const key = JSON.stringify([context.baseUrl, organisation, project, type])
  const now = context.now().getTime()
  const kept = cached.get(key)
  if (kept && kept.until > now && kept.states.some(({ name }) => name === known)) return kept.states
  const { value: states } = await call(context, {
    name: 'workitemtypes.states',
    path: `${projectPath({ organisation, project })}/wit/workitemtypes/${encodeURIComponent(type)}/states`,
    schema: listOf(State),
  })
  if (cached.size >= MAX_TYPES) cached.clear()
  cached.set(key, { states, until: now + KEPT_MS })
  return states
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

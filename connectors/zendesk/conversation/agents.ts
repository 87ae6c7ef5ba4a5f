import * as z from 'zod/mini'
import { isAgent, type Person } from '../directory.ts'

/**
 * Who is an agent or was one, by id, because Zendesk tells only what a person is today. Null: still one, as far as is known; otherwise
 * until when, in epoch seconds.
 */
export const Agents = z.record(z.string(), z.nullable(z.number()))
export type Agents = z.infer<typeof Agents>

/** They are stored with the position of a sync: of more than this, those who stopped first are forgotten. */
const KEPT = 2000

/** Remembers what Zendesk says about a person today. `now` is in epoch seconds. */
export function noteRole(agents: Agents, id: number, person: Person, now: number): void {
  if (isAgent(person)) put(agents, id, null)
  // The role changed no later than the person’s last change.
  else if (person.role !== null && agents[id] === null) put(agents, id, person.changed ?? now)
}

/** Remembers that this person did what only an agent can do, at this time in epoch seconds. */
export function noteAgentUntil(agents: Agents, id: number, seconds: number): void {
  const known = agents[id]
  if (known !== null && seconds > (known ?? -1)) put(agents, id, seconds)
}

/** Whether the person was an agent then. `time` is in epoch milliseconds. */
export function wasAgent(agents: Agents, id: number, time: number): boolean {
  const until = agents[id]
  return until === null || (until !== undefined && Math.floor(time / 1000) <= until)
}

function put(agents: Agents, id: number, until: number | null): void {
  if (agents[id] === undefined && Object.keys(agents).length >= KEPT) {
    const ended = Object.entries(agents).flatMap(([key, end]): [string, number][] => (end === null ? [] : [[key, end]]))
    const [first, ...others] = ended
    if (!first) return
    delete agents[others.reduce((oldest, one) => (one[1] < oldest[1] ? one : oldest), first)[0]]
  }
  agents[id] = until
}

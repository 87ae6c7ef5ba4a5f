import {
  createTheme,
  leaveToEngine,
  moveToTheme,
  removeTheme,
  renameTheme,
  restoreTheme,
} from '@groundswell/contract/insights/themes.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import type { QueryClient } from '@tanstack/react-query'
import { toast } from '../../../ui/toast-store.ts'
import { call } from '../../client/index.ts'
import { THEMES } from './themes-query.ts'

type Named = { id: number; name: string }
type Undo = () => Promise<unknown>

/** Where an insight is moved: to a theme, to a new one, or null for no theme. */
export type Target = Named | { newName: string } | null

/** Moves an insight; can be undone from the toast, like each of these. None throws. */
export function move(client: QueryClient, { issue_number, issue_name }: Insight, to: Target): Promise<void> {
  const params = { issue_number }
  return attempt(
    client,
    to === null ? 'In no theme now' : `Moved to ${'id' in to ? to.name : to.newName}`,
    issue_name,
    async () => {
      const made = to !== null && 'newName' in to ? await call(createTheme, { body: { name: to.newName } }) : null
      const theme_id = to === null ? null : 'id' in to ? to.id : (made?.theme_id ?? null)
      const { before } = await call(moveToTheme, { params, body: { theme_id } })
      return async () => {
        if (before.by_person) await call(moveToTheme, { params, body: { theme_id: before.theme_id } })
        else await call(leaveToEngine, { params })
        if (made) await call(removeTheme, { params: made })
      }
    },
  )
}

/** Names a theme. */
export function rename(client: QueryClient, { id, name }: Named, next: string): Promise<void> {
  const params = { theme_id: id }
  return attempt(client, 'Theme renamed', `${name} → ${next}`, async () => {
    const { before } = await call(renameTheme, { params, body: { name: next } })
    return () => call(renameTheme, { params, body: { name: before } })
  })
}

/** Removes a theme; its insights stay, without one. */
export function remove(client: QueryClient, { id, name }: Named): Promise<void> {
  const params = { theme_id: id }
  return attempt(client, 'Theme removed', name, async () => {
    await call(removeTheme, { params })
    return () => call(restoreTheme, { params })
  })
}

async function attempt(
  client: QueryClient,
  title: string,
  description: string,
  work: () => Promise<Undo>,
): Promise<void> {
  try {
    const undo = await work()
    toast({ title, description, action: { label: 'Undo', run: () => void undone(client, undo) } })
  } catch (error) {
    fail('Not changed', error)
  }
  await client.invalidateQueries({ queryKey: [THEMES] })
}

async function undone(client: QueryClient, undo: Undo): Promise<void> {
  try {
    await undo()
    toast({ title: 'Undone' })
  } catch (error) {
    fail('Undo failed', error)
  }
  await client.invalidateQueries({ queryKey: [THEMES] })
}

function fail(title: string, error: unknown): void {
  toast({ title, description: error instanceof Error ? error.message : String(error), tone: 'destructive' })
}

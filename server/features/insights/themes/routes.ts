import { ContractError } from '@groundswell/contract/errors.ts'
import {
  createTheme,
  leaveToEngine,
  listThemes,
  moveToTheme,
  removeTheme,
  renameTheme,
  restoreTheme,
} from '@groundswell/contract/insights/themes.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { endOf, weekOf } from '../list/insight-list.ts'
import { type Revisions, raiseRevision } from '../revision.ts'
import { RevisionedReply } from '../revisioned-reply.ts'
import {
  addTheme,
  isNameTaken,
  markRemoved,
  nameTheme,
  placeInsight,
  readPlace,
  readThemeName,
  type ThemePlace,
} from './store.ts'
import { viewThemes } from './themes.ts'

/** The calls that list themes, make, name, remove and restore them, and move insights between them. */
export function themeRoutes(services: Services, revisions: Revisions): Handler[] {
  const week = () => weekOf(services.now())
  const list = new RevisionedReply(services, revisions, listThemes, (tx, workspaceId, ofWeek) =>
    viewThemes(tx, workspaceId, endOf(Number(ofWeek))),
  )

  /** The lock on the revision comes first: grouping stores themes under it. */
  const change = <T>(workspaceId: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
    inWorkspace(services.db, workspaceId, async (tx) => {
      await raiseRevision(tx, workspaceId)
      return work(tx)
    })

  const place = (workspaceId: string, issueNumber: number, to: ThemePlace) =>
    change(workspaceId, async (tx) => {
      const before = await readPlace(tx, workspaceId, issueNumber)
      if (!before) throw new ContractError('not_found', 'There is no such insight')
      if (to.themeId !== null) await readShown(tx, workspaceId, to.themeId)
      await placeInsight(tx, workspaceId, issueNumber, to)
      return { issue_number: issueNumber, before: { theme_id: before.themeId, by_person: before.byPerson } }
    })

  return [
    handle(listThemes, ({ caller, clientHas }) => list.reply(caller.workspaceId, clientHas, String(week()))),

    handle(createTheme, ({ caller: { workspaceId }, body }) =>
      change(workspaceId, async (tx) => {
        await requireFree(tx, workspaceId, body.name, null)
        return { theme_id: await addTheme(tx, workspaceId, body.name) }
      }),
    ),

    handle(renameTheme, ({ caller: { workspaceId }, params: { theme_id }, body }) =>
      change(workspaceId, async (tx) => {
        const theme = await readShown(tx, workspaceId, theme_id)
        // A theme that a person made has no other name.
        const name = theme.name === '' ? (body.name ?? theme.personName) : body.name
        await requireFree(tx, workspaceId, name ?? theme.name, theme_id)
        await nameTheme(tx, workspaceId, theme_id, name)
        return { theme_id, before: theme.personName }
      }),
    ),

    handle(removeTheme, ({ caller: { workspaceId }, params: { theme_id } }) =>
      change(workspaceId, async (tx) => {
        if (!(await markRemoved(tx, workspaceId, theme_id, services.now()))) throw noTheme()
        return { theme_id }
      }),
    ),

    handle(restoreTheme, ({ caller: { workspaceId }, params: { theme_id } }) =>
      change(workspaceId, async (tx) => {
        const theme = await readThemeName(tx, workspaceId, theme_id)
        if (!theme?.removed) throw noTheme()
        await requireFree(tx, workspaceId, theme.personName ?? theme.name, theme_id)
        await markRemoved(tx, workspaceId, theme_id, null)
        return { theme_id }
      }),
    ),

    handle(moveToTheme, ({ caller, params, body }) =>
      place(caller.workspaceId, params.issue_number, { themeId: body.theme_id, byPerson: true }),
    ),

    handle(leaveToEngine, ({ caller, params }) =>
      place(caller.workspaceId, params.issue_number, { themeId: null, byPerson: false }),
    ),
  ]
}

async function readShown(tx: Tx, workspaceId: string, id: number) {
  const theme = await readThemeName(tx, workspaceId, id)
  if (!theme || theme.removed) throw noTheme()
  return theme
}

async function requireFree(tx: Tx, workspaceId: string, name: string, except: number | null): Promise<void> {
  if (await isNameTaken(tx, workspaceId, name, except)) {
    throw new ContractError('conflict', `There is already a theme named “${name}”`)
  }
}

function noTheme(): ContractError {
  return new ContractError('not_found', 'There is no such theme')
}

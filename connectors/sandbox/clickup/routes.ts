import type { Account, Folder, Space, Team } from './account.ts'
import { invalid, notAllowed, notFound } from './refusals.ts'
import type { Route } from './route.ts'
import { taskRoutes } from './task-routes.ts'
import { fieldView, folderView, listView, spaceView, teamView, userView } from './views.ts'
import type { Webhooks } from './webhooks.ts'

/** The calls of the API on this account, by method and template. */
export function routesFor(account: Account, webhooks: Webhooks): Route[] {
  const teamOf = (id: string | undefined): Team => {
    const team = account.teams.find((one) => one.id === id)
    if (!team?.allowed) throw notAllowed()
    return team
  }
  const spaceOf = (id: string | undefined): Space => {
    for (const team of account.teams) {
      const space = team.spaces.find((one) => one.id === id)
      if (space) return teamOf(team.id) && space
    }
    throw notFound('Space')
  }
  const listOf = (id: string | undefined) => {
    const place = account.placeOf(id ?? '')
    if (!place) throw notFound('List')
    teamOf(place.team.id)
    return place
  }
  const folderOf = (id: string | undefined): { folder: Folder; space: Space } => {
    for (const space of account.teams.flatMap(({ spaces }) => spaces)) {
      const folder = space.folders.find((one) => one.id === id)
      if (folder) return { folder, space }
    }
    throw notFound('Folder')
  }
  const get = (template: string, answer: Route['answer']): Route => ({ method: 'GET', template, answer })
  return [
    get('/v2/user', () => userView(account)),
    get('/v2/team', () => ({ teams: account.teams.filter(({ allowed }) => allowed).map(teamView) })),
    get('/v2/team/{team_id}/space', ({ ids }) => ({ spaces: teamOf(ids[0]).spaces.map(spaceView) })),
    get('/v2/space/{space_id}/folder', ({ ids }) => {
      const space = spaceOf(ids[0])
      return { folders: space.folders.map((folder) => folderView(folder, space)) }
    }),
    get('/v2/space/{space_id}/list', ({ ids }) => {
      const space = spaceOf(ids[0])
      return { lists: space.lists.map((list) => listView(list, space, null)) }
    }),
    get('/v2/folder/{folder_id}/list', ({ ids }) => {
      const { folder, space } = folderOf(ids[0])
      return { lists: folder.lists.map((list) => listView(list, space, folder)) }
    }),
    get('/v2/list/{list_id}', ({ ids }) => {
      const { list, space, folder } = listOf(ids[0])
      return listView(list, space, folder, true)
    }),
    get('/v2/list/{list_id}/field', ({ ids }) => ({ fields: listOf(ids[0]).list.fields.map(fieldView) })),
    ...taskRoutes(account, { listOf, teamOf }),
    get('/v2/team/{team_id}/webhook', ({ ids }) => ({ webhooks: webhooks.of(teamOf(ids[0]).id) })),
    {
      method: 'POST',
      template: '/v2/team/{team_id}/webhook',
      answer: ({ ids, body }) => {
        const { list } = listOf(String(body['list_id']))
        const [endpoint, events] = [String(body['endpoint']), body['events'] as string[]]
        if (webhooks.has(endpoint, list.id)) throw invalid('Webhook configuration already exists')
        const webhook = webhooks.add({ team: teamOf(ids[0]).id, list: list.id, endpoint, events })
        return { id: webhook.id, webhook }
      },
    },
    {
      method: 'DELETE',
      template: '/v2/webhook/{webhook_id}',
      answer: ({ ids }) => {
        if (!webhooks.remove(ids[0] ?? '')) throw notFound('Webhook')
        return {}
      },
    },
  ]
}

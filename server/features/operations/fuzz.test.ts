import type { Route } from '@groundswell/contract/route.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { setupToken } from '../../auth/index.ts'
import { fuzzRoute } from '../../platform/http/fuzz.ts'
import type { Handler } from '../../platform/http/handle.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { proves } from '../../platform/proves.ts'
import type { Services } from '../../platform/services.ts'
import { appOfFile } from '../../testing.ts'
import { accountRoutes } from '../accounts/index.ts'
import { auditRoutes } from '../audit/index.ts'
import { connectionRoutes } from '../connections/index.ts'
import { feedbackRoutes } from '../feedback/index.ts'
import { settingsRoutes } from '../settings/index.ts'
import { syncRoutes, syncsView } from '../syncs/index.ts'
import { operationRoutes } from './routes.ts'

const handlersOf = (services: Services): Handler[] => [
  ...accountRoutes(services),
  ...auditRoutes(services),
  ...settingsRoutes(services, { thresholdChanged: async () => undefined }),
  ...connectionRoutes(services, { syncs: syncsView }),
  ...syncRoutes(services),
  ...feedbackRoutes(services, { stored: async () => undefined }),
  ...operationRoutes(services),
]

const routes = handlersOf({ config: {}, queue: {} } as Services).map((handler) => handler.route)

/** Calls that may end the session that makes them. */
const isLeaving = ({ ends }: Route) => ends === 'session' || ends === 'account' || ends === 'workspace'

let admin: TestPerson

const test = appOfFile((services) => ({ handlers: handlersOf(services), rawLimit: 100_000 }))

beforeAll(async () => {
  admin = await test.person('admin', { setup_token: setupToken(test.services) })
})

describe('hostile input', () => {
  it.each(routes.map((route) => [route.name, route] as const))(
    'gets no fault out of %s',
    async (name, route) => {
      proves('1.2.3', '1.2.4', '15.3.5')
      const person = isLeaving(route) ? await test.person(`leaver-${name.toLowerCase()}`) : admin
      const add = { as: person, payload: { webhook: 'http://127.0.0.1:1/' } }
      if (name !== 'addConnection') await test.call('POST', '/api/webhook/add', add)
      await fuzzRoute(test.app, route, {
        token: person.token,
        known: { tile: 'webhook', webhook: 'https://example.com/' },
      })
      expect((await test.call('GET', '/api/health')).statusCode).toBe(200)
    },
    300_000,
  )
})

import type { Connector } from '../connector.ts'
import { app } from './app.ts'
import { check } from './check.ts'
import { choices } from './choices.ts'
import { handleEvent } from './handle-event.ts'
import { manifest } from './manifest.ts'
import { oauth, refresh, revoke } from './oauth.ts'
import { cursor, pull } from './pull.ts'
import { receive } from './receive.ts'

export const templateSource: Connector = {
  manifest,
  app,
  oauth,
  refresh,
  revoke,
  check,
  choices,
  cursor,
  pull,
  receive,
  handleEvent,
}

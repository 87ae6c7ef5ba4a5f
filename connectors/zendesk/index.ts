import type { Connector } from '../connector.ts'
import { app } from './app.ts'
import { check } from './check.ts'
import { choices } from './choices.ts'
import { cursor, progress } from './cursor.ts'
import { handleEvent } from './handle-event.ts'
import { manifest } from './manifest.ts'
import { oauth, refresh } from './oauth.ts'
import { pull } from './pull.ts'
import { receive } from './receive.ts'
import { revoke } from './revoke.ts'
import { subscriptions } from './subscriptions.ts'

export const zendesk: Connector = {
  manifest,
  app,
  oauth,
  check,
  refresh,
  revoke,
  choices,
  cursor,
  progress,
  pull,
  subscriptions,
  receive,
  handleEvent,
}

import type { Connector } from '../connector.ts'
import { app } from './app.ts'
import { check } from './check.ts'
import { choices } from './choices.ts'
import { handleEvent } from './handle-event.ts'
import { manifest } from './manifest.ts'
import { oauth, refresh } from './oauth.ts'
import { receive } from './receive.ts'
import { subscriptions } from './subscriptions.ts'
import { tracker } from './tracker.ts'

export const azure: Connector = {
  manifest,
  app,
  oauth,
  check,
  refresh,
  choices,
  subscriptions,
  receive,
  handleEvent,
  tracker,
  retrySchedule: [5, 300, 1800, 7200, 18_000],
}

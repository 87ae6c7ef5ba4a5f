import type { Connector } from '../connector.ts'
import { app } from './app.ts'
import { check } from './check.ts'
import { choices } from './choices.ts'
import { handleEvent } from './handle-event.ts'
import { refresh, revoke } from './installation.ts'
import { manifest } from './manifest.ts'
import { oauth } from './oauth.ts'
import { receive } from './receive.ts'
import { tracker } from './tracker.ts'

export const github: Connector = {
  manifest,
  app,
  oauth,
  check,
  refresh,
  revoke,
  choices,
  choicesRequired: true,
  receive,
  handleEvent,
  tracker,
  retrySchedule: [5, 300, 1800, 7200, 18_000],
}

import type { Connector } from '../connector.ts'
import { app } from './app.ts'
import { check } from './check.ts'
import { choices } from './choices.ts'
import { cursor, progress } from './cursor.ts'
import { handleEvent } from './handle-event.ts'
import { manifest } from './manifest.ts'
import { oauth } from './oauth.ts'
import { pull } from './pull.ts'
import { receive } from './receive.ts'
import { revoke } from './revoke.ts'

export const intercom: Connector = {
  manifest,
  app,
  oauth,
  check,
  revoke,
  choices,
  cursor,
  progress,
  pull,
  receive,
  handleEvent,
}

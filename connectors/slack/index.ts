import type { Connector } from '../connector.ts'
import { app } from './app.ts'
import { check } from './check.ts'
import { choices } from './choices.ts'
import { cursor } from './cursor.ts'
import { handleEvent } from './handle-event.ts'
import { manifest } from './manifest.ts'
import { oauth } from './oauth.ts'
import { poster } from './poster.ts'
import { pull } from './pull.ts'
import { receive } from './receive.ts'
import { revoke } from './revoke.ts'
import { refresh } from './rotation.ts'

export const slack: Connector = {
  manifest,
  app,
  oauth,
  check,
  refresh,
  revoke,
  choices,
  cursor,
  pull,
  receive,
  handleEvent,
  poster,
}

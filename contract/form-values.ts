import * as z from 'zod/mini'

/** More than any form of a connector has. What has more is refused where bodies are parsed, before it is copied for the call. */
const MAX_FIELDS = 200

/** The values of a form whose fields a connector names: its own schema checks them. */
export const FormValues = z
  .record(z.string(), z.unknown())
  .check(z.refine((values) => Object.keys(values).length <= MAX_FIELDS, `At most ${MAX_FIELDS} fields`))

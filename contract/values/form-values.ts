import * as z from 'zod/mini'

/** More than any form of a connector has, and than is chosen in one field. */
const MAX_FIELDS = 200
const MAX_CHOSEN = 1_000

/**
 * The values of a form whose fields a connector names: its own schema checks them. What no form has is refused where bodies are parsed, before it is
 * copied for the call.
 */
export const FormValues = z.record(z.string(), z.unknown()).check(
  z.refine((values) => Object.keys(values).length <= MAX_FIELDS, `At most ${MAX_FIELDS} fields`),
  z.refine((values) => Object.values(values).every(isOfField), 'A field is a text, a number or a list of choices'),
)

const isOfField = (value: unknown) =>
  isPlain(value) || (Array.isArray(value) && value.length <= MAX_CHOSEN && value.every(isPlain))

const isPlain = (value: unknown) => typeof value !== 'object' || value === null

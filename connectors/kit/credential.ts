import * as z from 'zod/mini'

/** An id or a secret that a person pastes into a form; `missing`: the message if nothing was pasted. */
export const Credential = (missing: string) =>
  z
    .string()
    .check(z.trim(), z.minLength(1, missing), z.maxLength(512), z.regex(/^[\x21-\x7e]*$/, 'No spaces or line breaks'))

import * as z from 'zod/mini'
import { isWebAddress, MAX_LINK } from './web-address.ts'

/** A link that a person or a program gives. Links from providers and files pass `safeLink` instead. */
export const Link = z
  .string('must be text')
  .check(
    z.maxLength(MAX_LINK, `must have at most ${MAX_LINK} characters`),
    z.refine(isWebAddress, 'must be an address that starts with https:// or http://, without a user name in it'),
  )

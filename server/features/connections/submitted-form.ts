import { isRefusedAddress } from '@groundswell/connectors/kit/http/address-check.ts'
import type { FormField } from '@groundswell/contract/connections.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import type * as z from 'zod/mini'
import type { Caller } from '../../platform/http/handle.ts'
import { faults } from '../../platform/http/parse.ts'
import { privateAddressRefused } from '../../platform/http/private-address.ts'
import type { Services } from '../../platform/services.ts'

/** A form of a connector: its fields as they are shown, and the schema of its values. */
type SubmittedForm = { fields: readonly FormField[]; form: z.ZodMiniType<Record<string, unknown>> }

/**
 * The values of a submitted form. Wrong fields, and URLs to which nothing would be sent, are refused as `invalid_input` by their names,
 * so that the form can report them immediately.
 */
export async function parseForm(
  { config }: Pick<Services, 'config'>,
  caller: Pick<Caller, 'isAdmin'>,
  { fields, form }: SubmittedForm,
  submitted: unknown,
): Promise<Record<string, unknown>> {
  const parsed = form.safeParse(submitted)
  if (!parsed.success) {
    const wrong = faults(parsed.error.issues, 'body')
    throw new ContractError('invalid_input', Object.values(wrong)[0] ?? 'The form is not filled in correctly', wrong)
  }
  for (const { name } of fields.filter(({ kind }) => kind === 'url')) {
    const url = parsed.data[name]
    if (typeof url !== 'string' || !(await isRefusedAddress(url, config.allowPrivateAddresses))) continue
    throw privateAddressRefused(caller, name, url)
  }
  return parsed.data
}

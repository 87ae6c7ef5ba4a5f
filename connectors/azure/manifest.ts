import * as z from 'zod/mini'
import type { Manifest } from '../connector.ts'
import { CollectionAddress } from './server.ts'

/** The name of an organisation, which becomes a part of paths. A pasted address is reduced to it. */
export const ORGANISATION = /^[A-Za-z0-9][A-Za-z0-9-]*$/

/** The address of an organisation today, and the one of those that are older. */
const ADDRESSES = [/^https:\/\/dev\.azure\.com\/([^/?#]+)\/?$/, /^https:\/\/([^./]+)\.visualstudio\.com\/?$/]

const ENTER_NAME = 'Enter the part after dev.azure.com/, such as fabrikam'

/** Empty is undefined. */
const Organisation = z.pipe(
  z.pipe(
    z.string().check(z.trim(), z.maxLength(200)),
    z.transform(
      (text: string) => ADDRESSES.map((address) => address.exec(text)?.[1]).find(Boolean) ?? (text || undefined),
    ),
  ),
  z.optional(
    z
      .string()
      .check(z.maxLength(64, 'An organization’s name has at most 64 characters'), z.regex(ORGANISATION, ENTER_NAME)),
  ),
)

const Fields = z.object({
  organization: z.optional(Organisation),
  server: CollectionAddress,
  pat: z
    .string()
    .check(
      z.trim(),
      z.minLength(20, 'A personal access token has at least 20 characters'),
      z.maxLength(512, 'A personal access token has at most 512 characters'),
      z.regex(/^[\x21-\x7e]+$/, 'A personal access token has no spaces or line breaks'),
    ),
})

/** Either an organization or a server. */
const Form = Fields.check(
  z.refine(({ organization, server }) => organization !== undefined || server !== undefined, {
    path: ['organization'],
    message: ENTER_NAME,
  }),
  z.refine(({ organization, server }) => organization === undefined || server === undefined, {
    path: ['server'],
    message: 'Enter an organization or the address of a server, not both',
  }),
)

/** A personal access token, or what a sign-in got. */
export const AzureSecrets = z.union([
  z.object({ pat: z.string().check(z.minLength(1)) }),
  z.object({ access_token: z.string().check(z.minLength(1)), refresh_token: z.optional(z.string()) }),
])

export const manifest: Manifest = {
  id: 'azure',
  label: 'Azure DevOps',
  side: 'destination',
  info: 'Insights as work items',
  logo: null,
  comingSoon: false,
  tile: true,
  formTitle: 'Paste a personal access token',
  fields: [
    {
      name: 'organization',
      label: 'Organization',
      kind: 'text',
      required: false,
      placeholder: 'fabrikam',
      help: 'The part of your address after dev.azure.com/. Leave empty for your own server.',
    },
    {
      name: 'pat',
      label: 'Personal access token',
      kind: 'secret',
      required: true,
      help: 'In Azure DevOps: User settings, Personal access tokens. Allow Work Items (Read & write) and Project and Team (Read).',
    },
    {
      name: 'server',
      label: 'Collection on your Azure DevOps Server',
      kind: 'url',
      required: false,
      placeholder: 'https://devops.example.com/DefaultCollection',
      help: 'Leave empty for dev.azure.com.',
    },
  ],
  secretFields: ['pat'],
  form: Form,
  signs: false,
  describe(settings) {
    const name = typeof settings.name === 'string' && settings.name !== '' ? settings.name : 'Azure DevOps'
    return { name, userData: { azure_data: { name } } }
  },
  unconnected: { azure_data: null },
}

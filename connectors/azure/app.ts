import * as z from 'zod/mini'
import type { AppSetup } from '../connector.ts'
import { Credential } from '../kit/credential.ts'

/** What the app of the workspace may do in Azure DevOps, as the person who signs in, and a refresh token. */
export const SCOPE = '499b84ac-1321-427f-aa17-267ca6975798/.default offline_access'

/** A directory's id or domain, which becomes a part of paths. */
export const Tenant = z
  .string()
  .check(
    z.trim(),
    z.maxLength(253, 'A tenant has at most 253 characters'),
    z.regex(
      /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}|organizations)$/i,
      'Enter the directory (tenant) ID, a domain such as fabrikam.onmicrosoft.com, or organizations',
    ),
  )

/** The workspace's own app registration in Microsoft Entra. */
export const app: AppSetup = {
  title: 'Your Microsoft Entra app',
  fields: [
    {
      name: 'tenant',
      label: 'Directory (tenant) ID',
      kind: 'text',
      required: true,
      placeholder: '00000000-0000-0000-0000-000000000000',
    },
    { name: 'client_id', label: 'Application (client) ID', kind: 'text', required: true },
    { name: 'client_secret', label: 'Client secret', kind: 'secret', required: true, help: 'Its value, not its ID.' },
  ],
  secretFields: ['client_secret'],
  form: z.object({
    tenant: Tenant,
    client_id: Credential('Enter the client ID'),
    client_secret: Credential('Enter the client secret'),
  }),
  // Not AZURE_CLIENT_ID and the like: where the server runs in Azure, these hold the identity of the machine.
  environment: {
    tenant: 'AZURE_APP_TENANT_ID',
    client_id: 'AZURE_APP_CLIENT_ID',
    client_secret: 'AZURE_APP_CLIENT_SECRET',
  },
  guide: ({ redirectUrl }) => ({
    steps: [
      'Open Microsoft Entra admin center, App registrations, and choose New registration. Enter Groundswell as the name.',
      'Choose Web as the platform, paste the text below as the redirect URI, and register the app.',
      'Open API permissions, add Azure DevOps, and select the delegated permissions vso.work_write, vso.project and vso.profile.',
      'Open Certificates & secrets, create a client secret, and copy its value into this form.',
      'Copy the directory (tenant) ID and the application (client) ID from the overview into this form.',
    ],
    paste: { label: 'Redirect URI', text: redirectUrl },
  }),
}

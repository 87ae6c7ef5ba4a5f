import type { UserData } from '@groundswell/contract/accounts.ts'
import type { FormField } from '@groundswell/contract/connections.ts'
import type { PublicConfig } from '@groundswell/contract/operations.ts'
import type { ComponentType } from 'react'
import { SLACK, signInAtSlack } from './slack.ts'

/** A tile that the specification names, with what a server without `/api/connectors` does not send. */
export type SpecTile = {
  id: string
  name: string
  side: 'source' | 'destination'
  /** What it does. */
  info: string
  Logo: ComponentType
  /** The name in the middle of a sentence, where it is not `name`. */
  inSentence?: string
  /** What it is connected to according to the user data; null when it is not connected. */
  connectedTo?: (userData: UserData) => string | null
  /** How it is connected without a catalogue. A tile that has neither of these two is coming soon there. */
  form?: { title: string; fields: readonly FormField[] }
  signIn?: (config: PublicConfig | null | undefined) => void
  /** The specification has a call that tests it. */
  hasTest?: true
}

/**
 * The eleven tiles of the specification in their order, so that the integrations page is complete on any server. Every other
 * tile comes from the server's catalogue.
 */
export const SPEC_TILES: readonly SpecTile[] = [
  {
    id: SLACK,
    name: 'Slack',
    side: 'source',
    info: 'Reads the channels you choose',
    Logo: SlackLogo,
    connectedTo: ({ slack_data }) => slack_data?.team?.name || null,
    signIn: signInAtSlack,
  },
  { id: 'teams', name: 'Microsoft Teams', side: 'source', info: 'Reads the channels you choose', Logo: TeamsLogo },
  { id: 'intercom', name: 'Intercom', side: 'source', info: 'Reads conversations', Logo: IntercomLogo },
  { id: 'helpscout', name: 'Help Scout', side: 'source', info: 'Reads conversations', Logo: HelpscoutLogo },
  { id: 'zendesk', name: 'Zendesk', side: 'source', info: 'Reads tickets and their comments', Logo: ZendeskLogo },
  {
    id: 'webhook',
    name: 'Webhook',
    side: 'destination',
    info: 'Sends each insight to your URL',
    Logo: WebhookLogo,
    inSentence: 'webhook',
    connectedTo: ({ webhook_destination, destination_webhook }) =>
      webhook_destination ? (webhook_destination.url ?? '') : destination_webhook ? '' : null,
    form: {
      title: 'Enter Webhook URL',
      fields: [
        {
          name: 'webhook',
          label: 'Webhook URL',
          kind: 'url',
          required: true,
          placeholder: 'https://example.com/hooks/feedback',
        },
        { name: 'client_token', label: 'Client token', kind: 'secret', required: false },
      ],
    },
    hasTest: true,
  },
  {
    id: 'azure',
    name: 'Azure DevOps',
    side: 'destination',
    info: 'Creates a work item for each insight',
    Logo: AzureLogo,
    connectedTo: ({ azure_data }) => (azure_data ? (azure_data.name ?? '') : null),
  },
  { id: 'linear', name: 'Linear', side: 'destination', info: 'Creates an issue for each insight', Logo: LinearLogo },
  { id: 'github', name: 'GitHub', side: 'destination', info: 'Creates an issue for each insight', Logo: GithubLogo },
  { id: 'jira', name: 'Jira', side: 'destination', info: 'Creates an issue for each insight', Logo: JiraLogo },
  { id: 'clickup', name: 'ClickUp', side: 'destination', info: 'Creates a task for each insight', Logo: ClickupLogo },
]

/** The tile that an authorisation without a state is for: the specification has only one. */
export const TILE_WITHOUT_STATE = SLACK

/** Four strokes and four drops in the brand's colours. */
function SlackLogo() {
  return (
    <svg viewBox="0 0 24 24" fill="none" strokeWidth="4.6" strokeLinecap="round" aria-hidden>
      <path d="M9.2 3.3v5.9" stroke="#36c5f0" />
      <path d="M20.7 9.2h-5.9" stroke="#2eb67d" />
      <path d="M14.8 20.7v-5.9" stroke="#ecb22e" />
      <path d="M3.3 14.8h5.9" stroke="#e01e5a" />
      <path d="M3.3 9.2h.01" stroke="#36c5f0" />
      <path d="M14.8 3.3v.01" stroke="#2eb67d" />
      <path d="M20.7 14.8h-.01" stroke="#ecb22e" />
      <path d="M9.2 20.7v-.01" stroke="#e01e5a" />
    </svg>
  )
}

/** Two people and a tile with a T. */
function TeamsLogo() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden>
      <circle cx="19.4" cy="6.6" r="2.3" fill="#5059c9" />
      <path d="M16.6 10h6.1c.5 0 .8.4.8.8v4.9a3.6 3.6 0 0 1-6.4 2.2z" fill="#5059c9" />
      <circle cx="13.4" cy="4.9" r="3.1" fill="#7b83eb" />
      <path d="M8.4 10h9.3c.5 0 .9.4.9.9v6.2a5.4 5.4 0 0 1-10.7 1z" fill="#7b83eb" />
      <rect x=".5" y="6.6" width="11.4" height="11.4" rx="1.4" fill="#4b53bc" />
      <path d="M3.4 9.4h5.7v1.6H7.1v4.9H5.4V11h-2z" fill="#fff" />
    </svg>
  )
}

/** Path from Simple Icons (CC0). */
function IntercomLogo() {
  return (
    <svg viewBox="0 0 24 24" fill="#286EFA" aria-hidden>
      <path d="M21 0H3C1.343 0 0 1.343 0 3v18c0 1.658 1.343 3 3 3h18c1.658 0 3-1.342 3-3V3c0-1.657-1.342-3-3-3zm-5.801 4.399c0-.44.36-.8.802-.8.44 0 .8.36.8.8v10.688c0 .442-.36.801-.8.801-.443 0-.802-.359-.802-.801V4.399zM11.2 3.994c0-.44.357-.799.8-.799s.8.359.8.799v11.602c0 .44-.357.8-.8.8s-.8-.36-.8-.8V3.994zm-4 .405c0-.44.359-.8.799-.8.443 0 .802.36.802.8v10.688c0 .442-.36.801-.802.801-.44 0-.799-.359-.799-.801V4.399zM3.199 6c0-.442.36-.8.802-.8.44 0 .799.358.799.8v7.195c0 .441-.359.8-.799.8-.443 0-.802-.36-.802-.8V6zM20.52 18.202c-.123.105-3.086 2.593-8.52 2.593-5.433 0-8.397-2.486-8.521-2.593-.335-.288-.375-.792-.086-1.128.285-.334.79-.375 1.125-.09.047.041 2.693 2.211 7.481 2.211 4.848 0 7.456-2.186 7.479-2.207.334-.289.839-.25 1.128.086.289.336.25.84-.086 1.128zm.281-5.007c0 .441-.36.8-.801.8-.441 0-.801-.36-.801-.8V6c0-.442.361-.8.801-.8.441 0 .801.357.801.8v7.195z" />
    </svg>
  )
}

/** Path from Simple Icons (CC0). */
function HelpscoutLogo() {
  return (
    <svg viewBox="0 0 24 24" fill="#1292EE" aria-hidden>
      <path d="m3.497 14.044 7.022-7.021a4.946 4.946 0 0 0 1.474-3.526A4.99 4.99 0 0 0 10.563 0L3.54 7.024a4.945 4.945 0 0 0-1.473 3.525c0 1.373.55 2.6 1.43 3.496zm17.007-4.103-7.023 7.022a4.946 4.946 0 0 0-1.473 3.525c0 1.36.55 2.601 1.43 3.497l7.022-7.022a4.943 4.943 0 0 0 1.474-3.526c0-1.373-.55-2.6-1.43-3.496zm-.044-2.904a4.944 4.944 0 0 0 1.474-3.525c0-1.36-.55-2.6-1.43-3.497L3.54 16.965A4.986 4.986 0 0 0 3.497 24Z" />
    </svg>
  )
}

/** Path from Simple Icons (CC0). */
function ZendeskLogo() {
  return (
    <svg viewBox="0 0 24 24" fill="#03363D" aria-hidden>
      <path d="M12.914 2.904V16.29L24 2.905H12.914zM0 2.906C0 5.966 2.483 8.45 5.543 8.45s5.542-2.484 5.543-5.544H0zm11.086 4.807L0 21.096h11.086V7.713zm7.37 7.84c-3.063 0-5.542 2.48-5.542 5.543H24c0-3.06-2.48-5.543-5.543-5.543z" />
    </svg>
  )
}

/** Three hooked ends, linked to each other. */
function WebhookLogo() {
  return (
    <svg viewBox="0 0 24 24" fill="none" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" aria-hidden>
      <path d="M18 16.9h-5.9c-.9 0-1.5.5-1.9 1.4a4.1 4.1 0 1 1-6.1-4.6" stroke="#0f6e6e" />
      <path d="m6 17 3.1-5.7c.5-.8.1-1.8-.4-2.5A4 4 0 1 1 15.9 6" stroke="#c73a63" />
      <path d="m12 6 3.2 5.6c.4.8 1.4 1 2.3 1a4 4 0 1 1-1.9 7.6" stroke="#4a4a4a" />
    </svg>
  )
}

/** A folded ribbon in the brand's blue. */
function AzureLogo() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden>
      <path d="M23 5.3v13l-5.3 4.4-8.3-3v3L4.7 16.5l13.7 1.1V5.9z" fill="#0078d4" />
      <path d="M18.5 6 10.8 1.5v3.1L3.7 6.7 1 10.2v6.1l3.7 1.5V9.3z" fill="#2b9ff0" />
    </svg>
  )
}

/** Path from Simple Icons (CC0). */
function LinearLogo() {
  return (
    <svg viewBox="0 0 24 24" fill="#5E6AD2" aria-hidden>
      <path d="M2.886 4.18A11.982 11.982 0 0 1 11.99 0C18.624 0 24 5.376 24 12.009c0 3.64-1.62 6.903-4.18 9.105L2.887 4.18ZM1.817 5.626l16.556 16.556c-.524.33-1.075.62-1.65.866L.951 7.277c.247-.575.537-1.126.866-1.65ZM.322 9.163l14.515 14.515c-.71.172-1.443.282-2.195.322L0 11.358a12 12 0 0 1 .322-2.195Zm-.17 4.862 9.823 9.824a12.02 12.02 0 0 1-9.824-9.824Z" />
    </svg>
  )
}

/** Path from Simple Icons (CC0). */
function GithubLogo() {
  return (
    <svg viewBox="0 0 24 24" fill="#181717" aria-hidden>
      <path d="M12 .297c-6.63 0-12 5.373-12 12 0 5.303 3.438 9.8 8.205 11.385.6.113.82-.258.82-.577 0-.285-.01-1.04-.015-2.04-3.338.724-4.042-1.61-4.042-1.61C4.422 18.07 3.633 17.7 3.633 17.7c-1.087-.744.084-.729.084-.729 1.205.084 1.838 1.236 1.838 1.236 1.07 1.835 2.809 1.305 3.495.998.108-.776.417-1.305.76-1.605-2.665-.3-5.466-1.332-5.466-5.93 0-1.31.465-2.38 1.235-3.22-.135-.303-.54-1.523.105-3.176 0 0 1.005-.322 3.3 1.23.96-.267 1.98-.399 3-.405 1.02.006 2.04.138 3 .405 2.28-1.552 3.285-1.23 3.285-1.23.645 1.653.24 2.873.12 3.176.765.84 1.23 1.91 1.23 3.22 0 4.61-2.805 5.625-5.475 5.92.42.36.81 1.096.81 2.22 0 1.606-.015 2.896-.015 3.286 0 .315.21.69.825.57C20.565 22.092 24 17.592 24 12.297c0-6.627-5.373-12-12-12" />
    </svg>
  )
}

/** Path from Simple Icons (CC0). */
function JiraLogo() {
  return (
    <svg viewBox="0 0 24 24" fill="#0052CC" aria-hidden>
      <path d="M11.571 11.513H0a5.218 5.218 0 0 0 5.232 5.215h2.13v2.057A5.215 5.215 0 0 0 12.575 24V12.518a1.005 1.005 0 0 0-1.005-1.005zm5.723-5.756H5.736a5.215 5.215 0 0 0 5.215 5.214h2.129v2.058a5.218 5.218 0 0 0 5.215 5.214V6.758a1.001 1.001 0 0 0-1.001-1.001zM23.013 0H11.455a5.215 5.215 0 0 0 5.215 5.215h2.129v2.057A5.215 5.215 0 0 0 24 12.483V1.005A1.001 1.001 0 0 0 23.013 0Z" />
    </svg>
  )
}

/** Path from Simple Icons (CC0). */
function ClickupLogo() {
  return (
    <svg viewBox="0 0 24 24" fill="#7B68EE" aria-hidden>
      <path d="M2 18.439l3.69-2.828c1.961 2.56 4.044 3.739 6.363 3.739 2.307 0 4.33-1.166 6.203-3.704L22 18.405C19.298 22.065 15.941 24 12.053 24 8.178 24 4.788 22.078 2 18.439zM12.04 6.15l-6.568 5.66-3.036-3.52L12.055 0l9.543 8.296-3.05 3.509z" />
    </svg>
  )
}

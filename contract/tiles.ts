/** The eleven tiles of the integrations page, so that it is whole on a server without `/api/connectors`. */
export const tiles = [
  { tile: 'slack', name: 'Slack', side: 'source' },
  { tile: 'teams', name: 'Microsoft Teams', side: 'source' },
  { tile: 'intercom', name: 'Intercom', side: 'source' },
  { tile: 'helpscout', name: 'Help Scout', side: 'source' },
  { tile: 'zendesk', name: 'Zendesk', side: 'source' },
  { tile: 'webhook', name: 'Webhook', side: 'destination' },
  { tile: 'azure', name: 'Azure DevOps', side: 'destination' },
  { tile: 'linear', name: 'Linear', side: 'destination' },
  { tile: 'github', name: 'GitHub', side: 'destination' },
  { tile: 'jira', name: 'Jira', side: 'destination' },
  { tile: 'clickup', name: 'ClickUp', side: 'destination' },
] as const

export type TileName = (typeof tiles)[number]['tile']

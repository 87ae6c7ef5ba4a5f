import { type StoredChannel, type StoredMessage, TEAM_ID, TENANT_ID } from './tenant.ts'

export type Json = Record<string, unknown>

const time = (at: number | null) => (at === null ? null : new Date(at).toISOString())

/** As Graph shows a message. A deleted one has no content. */
export function messageView(message: StoredMessage, replies: readonly StoredMessage[] | null = null): Json {
  const { id, channel, root, author, type, created, modified, edited, deleted } = message
  const app = 'app' in author ? author.app : null
  const user = 'app' in author ? null : author
  const gone = deleted !== null
  const link = `https://teams.microsoft.com/l/message/${encodeURIComponent(channel)}/${id}`
  return {
    id,
    replyToId: root,
    etag: String(modified),
    messageType: type,
    createdDateTime: time(created),
    lastModifiedDateTime: time(modified),
    lastEditedDateTime: time(edited),
    deletedDateTime: time(deleted),
    subject: gone ? null : message.subject,
    summary: null,
    chatId: null,
    importance: 'normal',
    locale: 'en-us',
    webUrl: `${link}?groupId=${TEAM_ID}&tenantId=${TENANT_ID}&parentMessageId=${root ?? id}`,
    policyViolation: null,
    eventDetail: null,
    from:
      type === 'message'
        ? {
            application: app === null ? null : { id: 'app-1', displayName: app, applicationIdentityType: 'bot' },
            device: null,
            user: user && {
              '@odata.type': '#microsoft.graph.teamworkUserIdentity',
              id: user.id,
              displayName: user.name,
              userIdentityType: 'aadUser',
              tenantId: user.tenant,
            },
          }
        : null,
    body: { contentType: 'html', content: gone ? '' : message.html },
    channelIdentity: { teamId: TEAM_ID, channelId: channel },
    attachments: gone
      ? []
      : message.attachments.map(({ contentType, content = null, name = null }, index) => ({
          id: `attachment-${index}`,
          contentType,
          contentUrl: null,
          content,
          name,
          thumbnailUrl: null,
          teamsAppId: null,
        })),
    mentions: [],
    reactions: [],
    ...(replies ? { replies: replies.map((reply) => messageView(reply)) } : {}),
  }
}

export const channelView = ({ id, name, membership }: StoredChannel): Json => ({
  id,
  displayName: name,
  membershipType: membership,
})

/** The resource of a notification. */
export function resourceOf({ channel, root, id }: StoredMessage): string {
  const post = `teams('${TEAM_ID}')/channels('${channel}')/messages('${root ?? id}')`
  return root === null ? post : `${post}/replies('${id}')`
}

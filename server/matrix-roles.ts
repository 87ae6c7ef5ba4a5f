import type { KeyScope, Route } from '@groundswell/contract/route.ts'

/** Who calls. `admin` is a member of the workspace, and no owner. */
export const WHO = ['viewer', 'member', 'owner', 'admin'] as const

/** A caller of the reviewed list. */
export type Who = (typeof WHO)[number]

/** What each may do, besides what the ones before may. */
const ALLOWED: Readonly<Record<Who, readonly Route['access'][]>> = {
  viewer: ['public', 'person', 'viewer'],
  member: ['public', 'person', 'viewer', 'member'],
  owner: ['public', 'person', 'viewer', 'member', 'owner'],
  admin: ['public', 'person', 'viewer', 'member', 'admin'],
}
/** Whether such a caller may make a call. */
export const mayCall = (who: Who, { access }: Route) => ALLOWED[who].includes(access)

/** Calls whose reply to their examples contains something of the workspace. */
export const SHOWN = [
  'listEvidence',
  'listCorrections',
  'getCorrection',
  'whyHere',
  'getThread',
  'getImport',
  'listKeptFeedback',
  'getDelivery',
  'listInsights',
  'listEmerging',
  'listMergeSuggestions',
  'listDeliveries',
  'getEmbeddings',
  'listApiKeys',
  'getTeam',
  'listMyWorkspaces',
  'listSharedLinks',
  'listViews',
  'listComments',
  'listReceivers',
]

/** Calls that change something and are open to viewers: what they change is the caller's own, a comment, or nothing that lasts. */
export const OPEN_TO_VIEWERS = [
  'logout',
  'endMySession',
  'endMySessions',
  'makeRecoveryCodes',
  'redeemRecoveryCode',
  'deleteMyAccount',
  'previewInvitation',
  'acceptInvitation',
  'leaveWorkspace',
  'switchWorkspace',
  'linkSingleSignOn',
  'askFeedback',
  'exportAskers',
  'addComment',
  'editComment',
  'deleteComment',
  'noteVisit',
  'exportInsights',
  'setDigest',
]

/** Calls that only read, and need more than a viewer: they show secrets, or what only members or admins act on. */
export const READS_OF_MEMBERS = [
  'getWorkspaceDeletion',
  'listApiKeys',
  'listSharedLinks',
  'getSigningSecret',
  'getApp',
  'getChoices',
  'previewImportDeletion',
  'previewKeptDeletion',
  'listReceivers',
  'listReceiverDeliveries',
  'getPosting',
  'getPostingApp',
  'listPostChannels',
  'previewPost',
  'listReplies',
]

/** What API keys may do, by scope. Everything else is closed to them. */
export const OPEN_TO_KEYS: Readonly<Record<KeyScope, readonly string[]>> = {
  read: [
    'listInsights',
    'listEvidence',
    'listUngrouped',
    'searchFeedback',
    'listCustomers',
    'getCustomer',
    'listAttributes',
    'listAttributeInsights',
    'listAlike',
    'getInsightDetail',
    'listAskers',
    'listEmerging',
    'listSuggestions',
    'listMergeSuggestions',
    'listThemes',
    'getOverview',
    'listChanges',
    'getReport',
    'getReportPart',
    'getReportChanges',
    'listCorrections',
    'getCorrection',
    'whyHere',
    'getThread',
    'getImport',
    'listImports',
    'getImportInsights',
    'listFileSources',
  ],
  'feedback:write': ['sendFeedback'],
  'insights:write': ['createInsight', 'correctInsight', 'correctPoint', 'previewCorrection', 'undoCorrection'],
}

/** The calls of API keys that change something. */
export const CHANGED_BY_KEYS = ['sendFeedback', 'createInsight', 'correctInsight', 'correctPoint', 'undoCorrection']

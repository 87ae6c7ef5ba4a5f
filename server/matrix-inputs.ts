import { randomUUID } from 'node:crypto'
import { FIRST_EMERGING } from '@groundswell/engine/index.ts'

/** The objects of one workspace that calls name, each by an id that the other workspace does not have. */
export type Known = {
  issue: number
  gone: number
  emerging: number
  declined: string
  delivery: string
  import: string
  kept: string
  session: string
  correction: string
  mention: string
  /** The path parameter of a destination's calls, and of a source's. */
  tile: { tile: string }
  source: { tile: string }
  embedding: string
  apiKey: string
  customer: string
  invitation: string
  /** A person in the workspace. */
  person: string
  workspace: string
  sharedLink: string
  view: string
  comment: string
  receiver: string
  receiverDelivery: string
}

/** Objects of no workspace, or the first ones of any. `tiles`: of a destination and of a source. */
export function nobodysObjects(tiles: { tile: string; source: string }): Known {
  const id = randomUUID()
  return {
    issue: 1,
    gone: 1,
    emerging: 1,
    declined: id,
    delivery: id,
    import: id,
    kept: id,
    session: id,
    correction: id,
    mention: '1',
    tile: { tile: tiles.tile },
    source: { tile: tiles.source },
    embedding: id,
    apiKey: id,
    customer: id,
    invitation: id,
    person: id,
    workspace: id,
    sharedLink: id,
    view: id,
    comment: id,
    receiver: id,
    receiverDelivery: id,
  }
}

/** What one call receives. */
export type Given = { params?: Record<string, string>; query?: string; body?: unknown; raw?: string }

const NO_DIGEST = {
  frequency: 'off',
  weekday: 1,
  hour: 9,
  time_zone: 'UTC',
  alerts: { spike: false, regression: false, themes: [] },
  quiet: null,
}

/** The input of each call, made of the objects of one workspace. A new call has to be added here. */
export const inputs: Record<string, (known: Known) => Given> = {
  getUserData: () => ({}),
  login: () => ({ body: { email: 'nobody@example.com', password: 'x' } }),
  signup: () => ({ body: { email: 'x', password: 'x', name: 'x' } }),
  listMySessions: () => ({}),
  endMySession: ({ session }) => ({ params: { id: session } }),
  endMySessions: () => ({ body: { scope: 'nothing' } }),
  getRecoveryCodes: () => ({}),
  makeRecoveryCodes: () => ({}),
  redeemRecoveryCode: () => ({ body: { code: 'wrong' } }),
  getDeletion: () => ({}),
  deleteMyAccount: () => ({ body: { password: 'wrong' } }),
  exportMyData: () => ({}),
  exportWorkspace: () => ({}),
  getWorkspaceDeletion: () => ({}),
  deleteWorkspace: () => ({ body: { name: 'not its name', password: 'wrong' } }),
  listApiKeys: () => ({}),
  createApiKey: () => ({ body: { name: 'a program', scopes: ['read'], expires_in_days: 30 } }),
  revokeApiKey: ({ apiKey }) => ({ params: { id: apiKey } }),
  getTeam: () => ({}),
  invite: () => ({ body: { role: 'viewer' } }),
  revokeInvitation: ({ invitation }) => ({ params: { id: invitation } }),
  previewInvitation: () => ({ body: { token: 'a token that nobody has' } }),
  acceptInvitation: () => ({ body: { token: 'a token that nobody has' } }),
  changeRole: ({ person }) => ({ params: { id: person }, body: { role: 'viewer' } }),
  transferOwnership: ({ person }) => ({ params: { id: person } }),
  removeMember: ({ person }) => ({ params: { id: person } }),
  leaveWorkspace: () => ({}),
  listMyWorkspaces: () => ({}),
  switchWorkspace: ({ workspace }) => ({ body: { workspace_id: workspace } }),
  getSingleSignOn: () => ({}),
  saveSingleSignOn: () => ({
    body: {
      issuer: 'https://127.0.0.1:9',
      client_id: 'app',
      client_secret: 'secret',
      domains: ['acme.example'],
      default_role: 'viewer',
    },
  }),
  switchSingleSignOn: () => ({ body: { enabled: false, required: false } }),
  testSingleSignOn: () => ({}),
  linkSingleSignOn: () => ({}),
  removeSingleSignOn: () => ({}),
  listSharedLinks: () => ({}),
  createSharedLink: ({ issue }) => ({
    body: { issue_number: issue, expires_in_days: 7, hide_names: true, hide_quotes: false },
  }),
  revokeSharedLink: ({ sharedLink }) => ({ params: { id: sharedLink } }),
  listViews: () => ({}),
  createView: ({ issue }) => ({ body: { name: `view of ${issue}`, query: 'q=export', shared: false } }),
  updateView: ({ view }) => ({ params: { view_id: view }, body: { name: 'another' } }),
  deleteView: ({ view }) => ({ params: { view_id: view } }),
  updateSettings: () => ({ body: { method: 'manual', min_inputs: 9, categories: [] } }),
  previewTags: () => ({
    body: { categories: [{ name: 'Area', description: 'Everything about invoices, payments and what they cost' }] },
  }),
  getTagProgress: () => ({}),
  listInsights: () => ({}),
  getInsightDetail: ({ issue }) => ({ params: { issue_number: String(issue) } }),
  setInsightTags: ({ issue }) => ({
    params: { issue_number: String(issue) },
    body: { changes: [{ cat_name: 'Area', automatic: true }] },
  }),
  setTeamStatus: ({ issue }) => ({ body: { changes: [{ issue_number: issue, team_status: 'planned' }] } }),
  assignInsights: ({ issue }) => ({ body: { changes: [{ issue_number: issue, assigned_to: null }] } }),
  listComments: ({ issue }) => ({ params: { issue_number: String(issue) } }),
  addComment: ({ issue }) => ({ params: { issue_number: String(issue) }, body: { text: 'said' } }),
  editComment: ({ comment }) => ({ params: { comment_id: comment }, body: { text: 'said again' } }),
  deleteComment: ({ comment }) => ({ params: { comment_id: comment } }),
  listAskers: ({ issue }) => ({ params: { issue_number: String(issue) } }),
  exportAskers: ({ issue }) => ({ params: { issue_number: String(issue) } }),
  setTold: ({ issue }) => ({ params: { issue_number: String(issue) }, body: { people: 'all', told: true } }),
  listUngrouped: () => ({}),
  searchFeedback: () => ({}),
  askFeedback: () => ({ body: { question: 'What is missing?' } }),
  listCustomers: () => ({}),
  getCustomer: ({ customer }) => ({ params: { id: customer } }),
  listAttributes: () => ({}),
  listAttributeInsights: () => ({ query: 'attributes=rating%3D1' }),
  uploadCustomers: () => ({ body: { text: 'domain,plan\nacme.com,Pro' } }),
  removeCustomer: ({ customer }) => ({ params: { id: customer } }),
  setFeedbackKind: ({ mention }) => ({ body: { mention, kind: 'praise' } }),
  listAlike: ({ issue }) => ({ query: `issue=${issue}` }),
  listEmerging: () => ({}),
  keepEmerging: ({ emerging }) => ({ params: { emerging_id: String(emerging) } }),
  dismissEmerging: ({ emerging }) => ({ params: { emerging_id: String(emerging) } }),
  restoreEmerging: ({ gone }) => ({ params: { emerging_id: String(FIRST_EMERGING + gone) } }),
  listSuggestions: ({ issue }) => ({ params: { issue_number: String(issue) } }),
  listMergeSuggestions: () => ({}),
  declineMerge: ({ issue }) => ({ body: { issue_numbers: [issue, issue + 20] } }),
  undoDeclinedMerge: ({ declined }) => ({ params: { decline_id: declined } }),
  listThemes: () => ({}),
  createTheme: ({ issue }) => ({ body: { name: `theme of ${issue}` } }),
  renameTheme: ({ issue }) => ({ params: { theme_id: String(issue) }, body: { name: `another of ${issue}` } }),
  removeTheme: ({ issue }) => ({ params: { theme_id: String(issue) } }),
  restoreTheme: ({ gone }) => ({ params: { theme_id: String(gone) } }),
  moveToTheme: ({ issue }) => ({ params: { issue_number: String(issue) }, body: { theme_id: null } }),
  leaveToEngine: ({ issue }) => ({ params: { issue_number: String(issue) } }),
  getOverview: () => ({}),
  noteVisit: () => ({}),
  getReport: () => ({ query: 'from=2026-01-01&to=2026-03-31&by=theme' }),
  getReportPart: () => ({ query: 'from=2026-01-01&to=2026-03-31&by=theme' }),
  getReportChanges: () => ({ query: 'from=2026-01-01&to=2026-03-31&by=theme' }),
  exportInsights: () => ({ body: { format: 'csv' } }),
  listChanges: () => ({ query: 'since=2026-01-01T00:00:00Z' }),
  createInsight: () => ({ body: { mentions: ['1:0', '2:0'] } }),
  correctInsight: ({ issue }) => ({ params: { issue_number: String(issue) }, body: { kind: 'lock', locked: true } }),
  previewCorrection: ({ issue }) => ({
    params: { issue_number: String(issue) },
    body: { kind: 'rename', name: 'another name' },
  }),
  listCorrections: ({ issue }) => ({ params: { issue_number: String(issue) } }),
  getCorrection: ({ correction }) => ({ params: { correction_id: correction } }),
  undoCorrection: ({ correction }) => ({ params: { correction_id: correction } }),
  whyHere: ({ issue, mention }) => ({ params: { issue_number: String(issue), id: mention } }),
  getThread: ({ issue, mention }) => ({ params: { issue_number: String(issue), id: mention } }),
  listEvidence: ({ issue }) => ({ params: { issue_number: String(issue) } }),
  pushInsight: ({ issue }) => ({ params: { issue_number: String(issue) }, body: {} }),
  deleteInsight: ({ issue }) => ({ params: { issue_number: String(issue) } }),
  restoreInsight: ({ gone }) => ({ params: { issue_number: String(gone) } }),
  getEmbeddings: () => ({}),
  getLanguageModel: () => ({}),
  getReadingChoice: () => ({}),
  chooseReading: () => ({ body: { scope: 'off' } }),
  readAgain: ({ mention }) => ({ body: { mention } }),
  getReading: () => ({}),
  beginEmbeddingSwitch: () => ({ body: { to: 'words' } }),
  applyEmbeddingSwitch: ({ embedding }) => ({ params: { switch_id: embedding } }),
  discardEmbeddingSwitch: ({ embedding }) => ({ params: { switch_id: embedding } }),
  listConnectors: () => ({}),
  addConnection: ({ tile }) => ({ params: tile, body: { webhook: 'http://127.0.0.1:9/', client_token: 'x' } }),
  testConnection: ({ tile }) => ({ params: tile }),
  disconnect: ({ tile }) => ({ params: tile }),
  cancelSync: ({ tile }) => ({ params: tile }),
  updateConnection: ({ tile }) => ({ params: tile, body: { push_automatically: false } }),
  getSigningSecret: ({ tile }) => ({ params: tile }),
  rotateSigningSecret: ({ tile }) => ({ params: tile }),
  authorize: ({ source }) => ({ params: source }),
  finishOAuth: ({ source }) => ({ params: source, body: { code: 'x' } }),
  getApp: ({ source }) => ({ params: source }),
  saveApp: ({ source }) => ({ params: source, body: { client_id: '1.1', client_secret: 'x', signing_secret: 'x' } }),
  getChoices: ({ source }) => ({ params: source }),
  saveChoices: ({ source }) => ({ params: source, body: {} }),
  startSync: ({ source }) => ({ params: source }),
  receiveEvents: ({ source }) => ({ params: source, raw: '{}' }),
  confirmEvents: ({ source }) => ({ params: source }),
  receiveOwnEvents: ({ source }) => ({ params: { ...source, key: 'unknown' }, raw: '{}' }),
  confirmOwnEvents: ({ source }) => ({ params: { ...source, key: 'unknown' } }),
  previewImport: () => ({ query: 'name=a.csv', raw: 'text\nhello' }),
  startImport: () => ({ query: 'name=a.csv', raw: 'text\nhello' }),
  getImport: (known) => ({ params: { id: known.import } }),
  listImports: () => ({}),
  answerImport: (known) => ({ params: { id: known.import }, body: { on_conflict: 'replace' } }),
  listReplaced: (known) => ({ params: { id: known.import } }),
  restoreReplaced: (known) => ({ params: { id: known.import }, body: {} }),
  deleteImport: (known) => ({ params: { id: known.import } }),
  getImportInsights: (known) => ({ params: { id: known.import } }),
  previewImportDeletion: (known) => ({ params: { id: known.import } }),
  listFileSources: () => ({}),
  sendFeedback: () => ({ body: { items: [{ id: '1', text: 'The export fails' }] } }),
  listKeptFeedback: () => ({}),
  previewKeptDeletion: (known) => ({ params: { id: known.kept } }),
  getTimeZone: () => ({}),
  setTimeZone: () => ({ body: { time_zone: 'Europe/Berlin' } }),
  nameWorkspace: () => ({ body: { name: 'Another name' } }),
  getRetention: () => ({}),
  getCaseConsent: () => ({}),
  setCaseConsent: () => ({ body: { allowed: false } }),
  setRetention: () => ({ body: { days: 3_650, sources: [] } }),
  previewErasure: () => ({ body: { author: 'Nobody at all' } }),
  erasePerson: () => ({ body: { author: 'Nobody at all' } }),
  deleteKeptFeedback: (known) => ({ params: { id: known.kept } }),
  listDeliveries: () => ({}),
  listHeld: () => ({}),
  previewPush: ({ tile, issue }) => ({ params: tile, query: `issue_number=${issue}` }),
  answerHeld: () => ({ body: { push: 'none' } }),
  getDelivery: ({ delivery }) => ({ params: { id: delivery } }),
  replayDelivery: ({ delivery }) => ({ params: { id: delivery } }),
  listReceivers: () => ({}),
  createReceiver: () => ({ body: { url: 'http://127.0.0.1:9/', description: '', events: null } }),
  updateReceiver: ({ receiver }) => ({ params: { id: receiver }, body: { description: 'changed' } }),
  rotateReceiverSecret: ({ receiver }) => ({ params: { id: receiver } }),
  testReceiver: ({ receiver }) => ({ params: { id: receiver } }),
  listReceiverDeliveries: ({ receiver }) => ({ params: { id: receiver } }),
  resendReceiverDelivery: ({ receiver, receiverDelivery }) => ({
    params: { id: receiver, delivery_id: receiverDelivery },
  }),
  deleteReceiver: ({ receiver }) => ({ params: { id: receiver } }),
  getDigest: () => ({}),
  getPosting: () => ({}),
  getPostingApp: ({ source }) => ({ params: source }),
  savePostingApp: ({ source }) => ({ params: source, body: { client_id: '1.2', client_secret: 'x' } }),
  authorizePosting: ({ source }) => ({ params: source }),
  finishPosting: ({ source }) => ({ params: source, body: { code: 'x' } }),
  endPosting: ({ source }) => ({ params: source }),
  listPostChannels: ({ source }) => ({ params: source }),
  setPostChannel: ({ source }) => ({ params: source, body: { channel: 'C1', choice: NO_DIGEST } }),
  previewPost: ({ source }) => ({ params: source, query: 'post=daily' }),
  listReplies: ({ issue }) => ({ params: { issue_number: String(issue) } }),
  sendReplies: ({ issue }) => ({
    params: { issue_number: String(issue) },
    body: { conversations: ['unknown'], text: 'It is there', again: false },
  }),
  setDigest: () => ({ body: NO_DIGEST }),
  previewDigest: () => ({ query: 'mail=daily' }),
  showUnsubscribe: () => ({ params: { token: 'unknown' } }),
  unsubscribe: () => ({ params: { token: 'unknown' }, raw: 'List-Unsubscribe=One-Click' }),
  listEvals: () => ({}),
  listEvalProblems: () => ({}),
  getEval: () => ({ query: 'filename=none.json' }),
  getEvalPages: () => ({ query: 'filename=none.json' }),
  listEvalScores: () => ({ query: 'filename=none.json' }),
  setEvalScore: () => ({
    body: { filename: 'none.json', page: 0, evaluator: 0, score: 1, reason: 'x', automatic: null },
  }),
  restoreEvalScore: () => ({ body: { filename: 'none.json', page: 0, evaluator: 0 } }),
  getDirOptions: () => ({}),
  setDir: () => ({ body: { dir_name: 'none' } }),
  getGeneratorOptions: () => ({}),
  setGeneratorFilter: () => ({ body: {} }),
  getInputOptions: () => ({}),
  setInputFilter: () => ({ body: {} }),
  getComparisonSessions: () => ({}),
  listComparisonProblems: () => ({}),
  getPublicConfig: () => ({}),
  getHealth: () => ({}),
  getLive: () => ({}),
  listDeadJobs: () => ({}),
  rerunDeadJob: () => ({ params: { id: randomUUID() } }),
  discardDeadJob: () => ({ params: { id: randomUUID() } }),
  listAudit: () => ({}),
  exportAudit: () => ({}),
  // Last, since it ends the session that makes the call.
  logout: () => ({}),
}

/** Calls that name an object by its own id: those of the other workspace are not found. */
export const byId = new Set([
  'listEvidence',
  'pushInsight',
  'deleteInsight',
  'restoreInsight',
  'getImport',
  'getDelivery',
])
byId
  .add('getCustomer')
  .add('removeCustomer')
  .add('answerImport')
  .add('listReplaced')
  .add('restoreReplaced')
  .add('deleteImport')
byId.add('getImportInsights').add('previewImportDeletion').add('previewKeptDeletion').add('deleteKeptFeedback')
byId.add('correctInsight').add('previewCorrection').add('listCorrections').add('getCorrection').add('undoCorrection')
byId.add('assignInsights').add('listComments').add('addComment').add('editComment').add('deleteComment')
byId
  .add('setTeamStatus')
  .add('setFeedbackKind')
  .add('readAgain')
  .add('listSuggestions')
  .add('declineMerge')
  .add('undoDeclinedMerge')
byId.add('renameTheme').add('removeTheme').add('restoreTheme').add('moveToTheme').add('leaveToEngine')
byId.add('keepEmerging').add('dismissEmerging').add('restoreEmerging')
byId
  .add('listAlike')
  .add('listAskers')
  .add('exportAskers')
  .add('setTold')
  .add('whyHere')
  .add('getThread')
  .add('replayDelivery')
  .add('endMySession')
  .add('getInsightDetail')
  .add('revokeApiKey')
  .add('revokeInvitation')
  .add('previewInvitation')
  .add('acceptInvitation')
  .add('changeRole')
  .add('transferOwnership')
  .add('removeMember')
  .add('switchWorkspace')
  .add('createSharedLink')
  .add('revokeSharedLink')
  .add('updateView')
  .add('deleteView')
  .add('updateReceiver')
  .add('rotateReceiverSecret')
  .add('testReceiver')
  .add('listReceiverDeliveries')
  .add('resendReceiverDelivery')
  .add('deleteReceiver')
  .add('setInsightTags')

/** Calls whose reply to these inputs contains something of the workspace. */
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
] as const

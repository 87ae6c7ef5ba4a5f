export { createAccount, grantAdmin, listAccounts, revokeAdmin, workspaceOfAccount } from './administer.ts'
export { accountRoutes } from './routes.ts'

export {
  createAccount,
  grantAdmin,
  listAccounts,
  revokeAdmin,
  workspaceOfAccount,
} from './administer.ts'
export { authenticate } from './authenticate.ts'
export { accountRoutes } from './routes.ts'
export { isLocal, needsFirstAdmin, setupToken } from './setup-token.ts'

export {
  isFilled,
  postponeMessages,
  readDueMessages,
  readFill,
  settleMessages,
  storeFill,
  workspacesToFindCustomers,
} from './due-store.ts'
export { isFreeMail } from './free-mail.ts'
export { customerRoutes } from './routes.ts'
export { assignCustomers, customersView, deleteUnheard, feedbackCustomersView, type Message } from './store.ts'

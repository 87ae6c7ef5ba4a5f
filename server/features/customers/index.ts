export {
  postponeMessages,
  readDueMessages,
  readFill,
  settleMessages,
  storeFill,
  workspacesToFindCustomers,
} from './due-store.ts'
export { assignCustomers, customersView, deleteUnheard, feedbackCustomersView, type Message } from './store.ts'

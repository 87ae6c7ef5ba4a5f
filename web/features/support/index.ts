export { SupportChat } from './support-chat.tsx'

export { ReceiversSection } from './receivers-section.tsx'

export { DigestSection } from './digest-section.tsx'

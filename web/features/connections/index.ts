export { TileMark } from './tile-logo.tsx'

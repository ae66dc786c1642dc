export { StoreRefused } from '../refused.ts'

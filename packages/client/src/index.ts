// biome-ignore lint/performance/noReExportAll: what both entries offer is listed once, and bundled
export * from './api.ts'
export type { AutoStart, ClientOptions, DaemonAddress } from './options.ts'
export { StringClient } from './string-client.ts'

/** Apart, because it is a third of all that the daemon would load, and is needed only for the web. */
export { buildConnector, Client } from 'undici'

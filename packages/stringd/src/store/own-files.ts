/** Files of the data folder that only daemons write, beside the database, which closes itself to others. */
export const OWN_FILES: readonly string[] = ['agents.json', 'daemon.json', 'daemon.log']

const SECRET_NAME =
  /^(?:\.env(?:\..+)?|\.npmrc|\.netrc|\.pgpass|\.git-credentials|\.htpasswd|id_(?:rsa|dsa|ecdsa|ed25519).*|.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk))$/i
const SECRET_FOLDER = /^\.(?:ssh|aws|gnupg)$/i
/** These show what a file of secrets looks like, and hold none. */
const SAMPLE = /\.(?:example|sample|template)$/i

/** A file or folder whose name is one of secrets: it is part of no package. */
export function isSecretName(name: string, isFolder: boolean): boolean {
  return isFolder ? SECRET_FOLDER.test(name) : SECRET_NAME.test(name) && !SAMPLE.test(name)
}

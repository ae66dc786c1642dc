import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** What comes into a bundle of a source: our own files, and what is imported from elsewhere. */
export async function bundleOf(
  entry: URL,
  external: readonly string[] = [],
): Promise<{ inputs: string[]; imports: string[] }> {
  const { metafile } = await build({
    entryPoints: [fileURLToPath(entry)],
    absWorkingDir: fileURLToPath(new URL('../..', import.meta.url)),
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    conditions: ['source'],
    external: [...external],
  })
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path))
  return { inputs: Object.keys(metafile.inputs), imports }
}

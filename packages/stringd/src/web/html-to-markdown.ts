import type { ConvertedPage } from './html/convert.ts'

/** The main content of a page as Markdown, with absolute links. The code for it is loaded when this is first called. */
export async function htmlToMarkdown(html: string, baseUrl: string): Promise<ConvertedPage> {
  const { convertPage } = await import('./html/convert.ts')
  return convertPage(html, baseUrl)
}

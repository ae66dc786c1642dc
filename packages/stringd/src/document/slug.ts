/** Heading slugs as GitHub makes them; a slug that was given before gets `-1`, `-2`. */
export function githubSlug(): (title: string) => string {
  const given = new Map<string, number>()
  return (title) => {
    const slug = plain(title)
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-')
    const before = given.get(slug)
    given.set(slug, (before ?? -1) + 1)
    return before === undefined ? slug : `${slug}-${before + 1}`
  }
}

/** The slug of a link's label, where it is short and plain enough to have one. */
export function labelSlug(label: string): string | null {
  if (label.length > 20 || !/^[A-Za-z0-9 -]*[A-Za-z0-9][A-Za-z0-9 -]*$/.test(label)) return null
  const slug = label.trim().toLowerCase().replace(/\s+/g, '-')
  return slug.startsWith('link-') ? null : slug
}

/** A title without the marks of its Markdown. Long ones are cut: no address is that long. */
function plain(title: string): string {
  return title
    .slice(0, 300)
    .trim()
    .replace(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/<[^>]*>/g, '')
}

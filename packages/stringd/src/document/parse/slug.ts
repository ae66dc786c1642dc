/** Heading slugs as GitHub makes them; a slug that was given before gets `-1`, `-2`. */
export function githubSlug(): (title: string) => string {
  const given = new Map<string, number>()
  return (title) => {
    const slug = title
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-')
    let count = given.get(slug) ?? 0
    let result = slug
    while (given.has(result)) {
      count += 1
      result = `${slug}-${count}`
    }
    given.set(slug, count)
    given.set(result, given.get(result) ?? 0)
    return result
  }
}

/** The slug of a link's label, where it is short and plain enough to have one. */
export function labelSlug(label: string): string | null {
  if (label.length > 20 || !/^[A-Za-z0-9 -]*[A-Za-z0-9][A-Za-z0-9 -]*$/.test(label)) return null
  const slug = label.trim().toLowerCase().replace(/\s+/g, '-')
  return slug.startsWith('link-') ? null : slug
}

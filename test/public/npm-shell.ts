/** As in a user's shell: what the `npm run` of the tests was told (`--ignore-scripts`, say) is not told to an npm within it. */
export const shell = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^npm_/i.test(name) || /^npm_config_(registry|userconfig|cache)$/i.test(name),
  ),
)

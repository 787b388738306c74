/** The id of the build that this bundle belongs to; replaced by the bundler. */
declare const __BUILD__: string

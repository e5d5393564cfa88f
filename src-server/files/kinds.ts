// The kind of a file by its name alone; `content.ts` uses its bytes too.
import type { ResourceType } from '../contract/files.ts'

/** With the dot and its case kept, from the last dot on: `.bashrc` is all extension; '' without a dot. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : name.slice(dot)
}

/** The media type for a name; undefined when there is none, or for text. */
export function mediaTypeOf(name: string): string | undefined {
  return mediaTypes[keyOf(name)]
}

/** The kind for a name; undefined when the bytes decide, if they may be read. */
export function promisedKind(name: string): ResourceType | undefined {
  const media = mediaTypeOf(name)
  if (media === 'application/pdf') return 'pdf'
  if (media) return media.slice(0, media.indexOf('/')) as 'image' | 'audio' | 'video'
  return isText(name) ? 'text' : undefined
}

/** The kind shown in a listing, where no file is opened. */
export function kindByName(name: string): ResourceType {
  return promisedKind(name) ?? 'blob'
}

function isText(name: string) {
  return textExtensions.has(keyOf(name)) || textNames.has(name.toLowerCase())
}

function keyOf(name: string) {
  return extensionOf(name).slice(1).toLowerCase()
}

// Which extensions and names belong to which kind of file. The media types are those registered with IANA where there is one.

const images = {
  apng: 'apng',
  avif: 'avif',
  bmp: 'bmp',
  cr2: 'x-canon-cr2',
  dng: 'x-adobe-dng',
  gif: 'gif',
  heic: 'heic',
  heif: 'heif',
  ico: 'x-icon',
  jfif: 'jpeg',
  jpe: 'jpeg',
  jpeg: 'jpeg',
  jpg: 'jpeg',
  jxl: 'jxl',
  nef: 'x-nikon-nef',
  png: 'png',
  psd: 'vnd.adobe.photoshop',
  svg: 'svg+xml',
  svgz: 'svg+xml',
  tif: 'tiff',
  tiff: 'tiff',
  webp: 'webp',
}
const audios = {
  aac: 'aac',
  ac3: 'ac3',
  aif: 'aiff',
  aiff: 'aiff',
  amr: 'amr',
  flac: 'flac',
  m4a: 'mp4',
  m4b: 'mp4',
  mid: 'midi',
  midi: 'midi',
  mka: 'x-matroska',
  mp2: 'mpeg',
  mp3: 'mpeg',
  oga: 'ogg',
  ogg: 'ogg',
  opus: 'ogg',
  ra: 'x-realaudio',
  spx: 'ogg',
  wav: 'wav',
  weba: 'webm',
  wma: 'x-ms-wma',
}
const videos = {
  '3g2': '3gpp2',
  '3gp': '3gpp',
  asf: 'x-ms-asf',
  avi: 'x-msvideo',
  flv: 'x-flv',
  m2ts: 'mp2t',
  m4v: 'x-m4v',
  mkv: 'x-matroska',
  mov: 'quicktime',
  mp4: 'mp4',
  mpe: 'mpeg',
  mpeg: 'mpeg',
  mpg: 'mpeg',
  mts: 'mp2t',
  ogv: 'ogg',
  qt: 'quicktime',
  vob: 'mpeg',
  webm: 'webm',
  wmv: 'x-ms-wmv',
}

/** By extension, in lower case and without its dot. */
const mediaTypes: Readonly<Record<string, string | undefined>> = Object.assign(Object.create(null), {
  ...under('image', images),
  ...under('audio', audios),
  ...under('video', videos),
  pdf: 'application/pdf',
})

function under(family: string, names: Record<string, string>) {
  return Object.fromEntries(Object.entries(names).map(([extension, name]) => [extension, `${family}/${name}`]))
}

/** By extension, in lower case and without its dot: prose, data, configuration and source code. */
const textExtensions: ReadonlySet<string> = new Set(
  words(`
    adoc asc asciidoc bib bibtex cls csv diff eml ics latex ldif log man markdown md mdown mdx nfo org patch po pot rmd rst rtx
    sgml sty srt ass ssa sub tab tex text textile tsv txt url vcf vtt
    cfg cnf conf config desktop editorconfig env hcl ini json json5 jsonc jsonl lock map ndjson nix plist prefs properties reg
    service socket target timer tf tfvars toml webmanifest xml xsd xsl xslt yaml yml rss atom opml kml gpx geojson dtd
    ada adb ads asm s bas bat c cc clj cljc cljs cmake cmd coffee cpp cr cs csx cu cxx d dart dockerfile el elm erl ex exs f f90
    f95 feature fish for fs fsi fsx gd glsl go gql gradle graphql groovy h haml hbs hh hpp hrl hs htm html hxx inc ipynb j2 java
    jinja jl js jsx kt kts less lhs liquid lisp lua m m4 mak mjs cjs ml mli mm mk mustache nim njk pas php phtml pl pm pod prisma
    proto ps1 psd1 psm1 pug py pyi pyw r rake rb rkt rs sass sc scala scm scss sh shtml sol sql st styl svelte swift tcl tmpl
    ts mts cts tsx twig v vala vb vbs vhd vhdl vim vue wat xhtml xq zig zsh bash ksh csh awk sed
    bashrc zshrc profile bash_profile bash_history zprofile inputrc vimrc nanorc gitignore gitattributes gitmodules gitconfig
    gitkeep dockerignore npmignore npmrc nvmrc yarnrc eslintrc eslintignore prettierrc prettierignore stylelintrc babelrc
    browserslistrc htaccess htpasswd curlrc wgetrc mailmap pylintrc flake8 rspec ruby-version node-version python-version
    pem crt csr cer pub sum md5 sha1 sha256 sha512 sig m3u m3u8 pls cue
  `),
)

/** Whole names in lower case, for files that carry no extension by custom. */
const textNames: ReadonlySet<string> = new Set(
  words(`
    makefile gnumakefile dockerfile containerfile vagrantfile jenkinsfile procfile rakefile gemfile brewfile podfile fastfile
    justfile caddyfile cmakelists.txt license licence copying notice readme changelog changes news authors contributors credits
    install todo hosts fstab crontab passwd group resolv.conf codeowners owners version build workspace kconfig
  `),
)

function words(text: string) {
  return text.trim().split(/\s+/)
}

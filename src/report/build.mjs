// node build.mjs PAGE.html [TEXT.cc]: bundles page/ into one HTML file and, for the program, the same as a C++ source.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const [htmlFile, sourceFile] = process.argv.slice(2);
if (!htmlFile) {
  console.error('usage: node build.mjs PAGE.html [TEXT.cc]');
  process.exit(2);
}

// What is bundled keeps its licence.
const licence = (await readFile(`${here}/node_modules/uplot/LICENSE`, 'utf8')).replaceAll('*/', '');
const bundled = await build({
  absWorkingDir: here,
  entryPoints: { page: 'page/main.ts' },
  outdir: '/',
  write: false,
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['es2021', 'chrome100', 'firefox113', 'safari16.4'],
  banner: { js: `/* uPlot\n${licence.trim()}\n*/` },
  charset: 'ascii',
});
const output = (ending) => bundled.outputFiles.find((file) => file.path.endsWith(ending)).text;
// Nothing in a script or style may look like the end of it.
const script = output('.js').replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
const style = output('.css').replaceAll('</style', '<\\/style');
const template = await readFile(`${here}/page/page.html`, 'utf8');
const html = template
  .replace('<!--medley:style-->', () => `<style>${style}</style>`)
  .replace('<!--medley:script-->', () => `<script>${script}</script>`);

const write = async (file, text) => {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
};

// A literal may be limited in length, so it comes in pieces, which the compiler joins.
function asSource(text) {
  const bytes = Buffer.from(text, 'utf8');
  const escape = (byte) => {
    if (byte === 0x0a) return '\\n';
    if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
    if (byte < 0x20 || byte > 0x7e || byte === 0x3f) return `\\${byte.toString(8).padStart(3, '0')}`;
    return String.fromCharCode(byte);
  };
  const pieces = [];
  for (let at = 0; at < bytes.length; at += 4096) {
    pieces.push(`    "${Array.from(bytes.subarray(at, at + 4096), escape).join('')}"`);
  }
  return `#include "io/report/report_page.h"

namespace medley::io {

std::string_view report_page() {
    static constexpr char kPage[] =
${pieces.join('\n')};
    return {kPage, sizeof(kPage) - 1};
}

}  // namespace medley::io
`;
}

await write(htmlFile, html);
if (sourceFile) await write(sourceFile, asSource(html));

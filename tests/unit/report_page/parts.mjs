// Bundles a part of the page, so that Node.js can import it.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const page = join(
  dirname(fileURLToPath(import.meta.url)),
  "../../../src/report",
);

export function packageOf(name) {
  try {
    return createRequire(join(page, "package.json"))(name);
  } catch {
    console.log(
      "skipped: the packages of src/report are not installed (npm ci, or tools/install-deps)",
    );
    process.exit(77);
  }
}

export async function part(name) {
  const { outputFiles } = await packageOf("esbuild").build({
    entryPoints: [join(page, "page", `${name}.ts`)],
    bundle: true,
    format: "esm",
    write: false,
  });
  return import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`
  );
}

// The page's TypeScript has no type errors.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { packageOf, page } from "./parts.mjs";

packageOf("typescript");
const compiler = createRequire(join(page, "package.json")).resolve(
  "typescript/bin/tsc",
);
process.exit(
  spawnSync(process.execPath, [compiler, "--noEmit", "-p", page], {
    stdio: "inherit",
  }).status ?? 1,
);

// The tests of this folder; exit status 77 where the page's packages are not installed.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageOf } from "./parts.mjs";

packageOf("esbuild");
const here = dirname(fileURLToPath(import.meta.url));
const tests = readdirSync(here)
  .filter((name) => name.endsWith(".test.mjs"))
  .map((name) => join(here, name));
process.exit(
  spawnSync(process.execPath, ["--test", ...tests], { stdio: "inherit" })
    .status ?? 1,
);

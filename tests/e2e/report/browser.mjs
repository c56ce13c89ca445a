// Chromium, driven by playwright-core from src/report's packages; a watched page fails on whatever a reader would not want to meet.
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const packages = join(
  dirname(fileURLToPath(import.meta.url)),
  "../../../src/report/package.json",
);

export function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(77);
}

function onPath(name) {
  for (const folder of (process.env.PATH ?? "").split(":")) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      /* not there */
    }
  }
  return null;
}

export async function launch() {
  let playwright;
  try {
    playwright = createRequire(packages)("playwright-core");
  } catch {
    skip(
      "the packages of src/report are not installed (npm ci, or tools/install-deps)",
    );
  }
  const program =
    process.env.CHROMIUM ??
    ["chromium", "chromium-browser", "google-chrome"]
      .map(onPath)
      .find((path) => path);
  if (!program) skip("no Chromium here (tools/install-deps --tests)");
  // Root has no sandbox to give.
  return playwright.chromium.launch({
    executablePath: program,
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
}

/** Opens a report and waits until it is drawn; `page.complaints` collects console errors, failures, dialogs and requests to anywhere. */
export async function open(browser, file, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    offline: true,
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(300000); // machines differ; nothing here is a test of speed
  page.complaints = [];
  const complain = (what) => page.complaints.push(what);
  page.on(
    "console",
    (message) =>
      ["error", "warning"].includes(message.type()) &&
      complain(`console: ${message.text()}`),
  );
  page.on("pageerror", (error) => complain(`failure: ${error.message}`));
  page.on("dialog", (dialog) => {
    complain(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  const url = pathToFileURL(file).href;
  page.on(
    "request",
    (request) =>
      request.url() !== url &&
      !/^(data|blob):/.test(request.url()) &&
      complain(`request: ${request.url()}`),
  );
  await page.goto(url);
  await page.waitForFunction(
    () =>
      document.documentElement.dataset.readyMs !== undefined ||
      document.querySelector("[role=alert]"),
    null,
  );
  return page;
}
